document.write('<p>Viewing All Types (2 openings)</p><ul class=\'postingsList\'><table class=\'titl');
document.write('e\'><tr><td><span class=\'title\'>Principal\'s Assistant <a href=\'javascript:applyFo');
document.write('r("view.asp%3FAppliTrackJobId%3D739")\'>view</a></span></td></tr></table></ul><ul');
document.write(' class=\'postingsList\'><table class=\'title\'><tr><td><span class=\'title\'>Bus Drive');
document.write('r <a href=\'javascript:applyFor("view.asp%3FAppliTrackJobId%3D740")\'>view</a></sp');
document.write('an></td></tr></table></ul>');
document.write(unescape('%3Cscript%3E%3C/script%3E'));
