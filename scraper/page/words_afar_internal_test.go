package page

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWordsForWorkFromAfarArePlaces(t *testing.T) {
	t.Parallel()
	for _, words := range []string{
		"Remote", "Fully remote", "Remote (EU)", "Remote Europe", "100% remote, anywhere", "Worldwide", "Anywhere in France", "Lyon (hybrid)", "Lyon, remote", "Télétravail", "100 % télétravail", "En télétravail", "À distance", "Homeoffice", "Home-Office", "Mobiles Arbeiten",
		"Teletrabajo", "A distancia", "En remoto", "Trabajo remoto", "Teletrabalho", "Trabalho remoto", "Da remoto", "Smart working", "Thuiswerken", "Op afstand",
		"Distans", "På distans", "Hjemmekontor", "Fjernarbejde", "Etätyö", "Zdalnie", "Praca zdalna", "Na dálku", "Na diaľku", "Távmunka", "La distanță", "Telemuncă",
		"Uzaktan", "Uzaktan çalışma", "Τηλεργασία", "Εξ αποστάσεως", "Удаленно", "Удалённая работа", "Віддалено", "Дистанционно", "リモート", "フルリモート",
		"在宅勤務", "テレワーク", "远程", "遠端工作", "居家办公", "재택근무", "원격근무", "عن بعد", "מרחוק", "Từ xa",
	} {
		require.True(t, looksLikePlace(words), words)
	}
	for _, words := range []string{"Telearbeit-Koordinator", "Uzaktan Satış Temsilcisi", "Z domova operátor", "リモートエンジニア", "Remotely Operated Vehicle Pilot", "Hybrid Cloud Engineer"} {
		require.False(t, looksLikePlace(words), words)
	}
}
