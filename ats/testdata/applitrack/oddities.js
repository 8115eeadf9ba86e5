document.write('<p>Viewing All Types (3 openings)</p><ul class=\'postingsList\'><table class=\'titl');
document.write('e\'><tr><td><span class=\'title\'>Shared Role <a href=\'javascript:applyFor("view.as');
document.write('p%3FAppliTrackJobId%3D1")\'>view</a></span></td></tr></table></ul><ul class=\'post');
document.write('ingsList\'><table class=\'title\'><tr><td><span class=\'title\'>Shared Role <a href=\'');
document.write('javascript:applyFor("view.asp%3FAppliTrackJobId%3D1")\'>view</a></span></td></tr>');
document.write('</table></ul><ul class=\'postingsList\'><table class=\'title\'><tr><td><span class=\'');
document.write('title\'> <a href=\'javascript:applyFor("view.asp%3FAppliTrackJobId%3D2")\'>view</a>');
document.write('</span></td></tr></table></ul>');
document.write(unescape('%3Cscript%3E%3C/script%3E'));
