document.write('<ul class=\'postingsList\' id=\'p739_\'><li><span class=\'label\'>Position Type:</span');
document.write('><span class=\'normal\'>Support</span></li><li><span class=\'label\'>Location:</span');
document.write('><span class=\'normal\'>Central Maintenance</span></li></ul>');
