package boardwatch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLanguageOf(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"en": "You will work with the kitchen team and be responsible for the soup of the day. We are open to all of your ideas.",
		"de": "Du kochst mit dem Team und bist für die Suppe des Tages verantwortlich. Wir freuen uns auf dich und deine Ideen, die du bei uns einbringst.",
		"fr": "Vous travaillez avec l'équipe et vous préparez la soupe du jour pour la salle. Nous sommes ouverts à toutes les idées pour la carte.",
		"es": "Trabajarás con el equipo de la cocina y te encargarás de la sopa del día. Nuestro restaurante busca una persona con ganas de aprender.",
		"it": "Lavorerai con il gruppo della cucina e ti occuperai della zuppa del giorno. Il nostro ristorante cerca una persona che abbia idee per il menu.",
		"pt": "Você vai trabalhar com a equipa da cozinha e preparar a sopa do dia. O restaurante procura uma pessoa que goste de aprender e não tenha medo.",
		"nl": "Je werkt met het team van de keuken en maakt de soep van de dag. Wij zijn op zoek naar een collega voor onze zaak en dat ben jij.",
		"sv": "Du arbetar med köket och lagar soppan för dagen. Vi söker en person som är nyfiken och som vill vara hos oss, för det är det vi har.",
		"da": "Du arbejder i vores køkken og laver dagens suppe. Vi søger en person, som har lyst til at blive en del af holdet, og som ikke er bange for at lære.",
		"nb": "Du jobber på kjøkkenet vårt og lager dagens suppe. Vi søker en person som har lyst til å være hos oss, og som ikke er redd for å lære av andre.",
		"fi": "Työ on keittiössä ja sinun tehtäväsi on keitto. Olemme ravintola, joka on auki joka päivä, ja meidän tiimi on pieni. Se on myös hyvä.",
		"pl": "Praca w kuchni i przygotowanie zupy dnia. Szukamy osoby, która nie boi się nowych zadań oraz chce się uczyć, bo to jest dla nas ważne.",
		"cs": "Budete pracovat v kuchyni a vařit polévku dne. Hledáme člověka, který se rád učí a je u nás doma, protože jsme malý tým a na tom stavíme.",
		"sk": "Budete pracovať v kuchyni a variť polievku dňa. Hľadáme človeka, ktorý sa rád učí a je u nás doma, pretože sme malý tím a na tom sa dá stavať.",
		"hu": "A konyhában dolgozol és a napi levest készíted. Olyan embert keresünk, aki szeret tanulni, és nem fél, ha sok a munka, mint nálunk van az.",
		"ro": "Lucrezi în bucătărie cu echipa și te ocupi de supa zilei. Căutăm o persoană care este deschisă la idei și care să fie parte din echipa noastră.",
		"tr": "Mutfakta bir ekip ile çalışacak ve günün çorbasını yapacaksın. Bu iş için öğrenmeye açık olan ve ekip olarak çalışan bir kişi arıyoruz.",
		"ru": "Вы будете работать на кухне и готовить суп дня. Мы ищем человека, который не боится учиться, и это для нас важно, как и команда.",
		"uk": "Ви будете працювати на кухні та готувати суп дня. Ми шукаємо людину, що не боїться вчитися, і це для нас важливо, як і команда.",
		"bg": "Ще работите в кухнята и ще готвите супата на деня. Ние търсим човек, който не се страхува да учи, и това е важно за нас.",
		"el": "Θα εργάζεστε με την ομάδα της κουζίνας και θα φτιάχνετε τη σούπα της ημέρας. Είναι μια θέση για άτομα που θέλουν να μάθουν από την αρχή.",
		"ja": "キッチンのチームと一緒に、毎日のスープを作っていただきます。新しいことを学びたい方を歓迎します。",
		"zh": "您将与厨房团队一起准备每日汤品。我们欢迎愿意学习新事物并且喜欢团队合作的人加入。",
		"ko": "주방 팀과 함께 오늘의 수프를 만드는 일을 합니다. 새로운 것을 배우고 싶은 분을 환영합니다.",
		"th": "คุณจะทำงานกับทีมครัวและทำซุปประจำวัน เรายินดีต้อนรับคนที่อยากเรียนรู้สิ่งใหม่",
		"vi": "Bạn làm việc với nhóm bếp và nấu món súp của ngày. Công việc này là cho những người có tinh thần học hỏi và được làm trong một nhóm.",
		"id": "Anda akan bekerja dengan tim dapur dan membuat sup untuk hari ini. Kami mencari orang yang ingin belajar dari kami dan suka kerja dalam tim.",
		"":   "Soup. Soup. Soup. C++, Kubernetes, PostgreSQL, Terraform, Go, gRPC.",
	}
	for want, text := range texts {
		require.Equal(t, want, languageOf("## "+text+"\n"), want)
	}
	require.Empty(t, languageOf(""))
	require.Empty(t, languageOf("Du kochst mit uns."), "too little to be sure")
	require.Empty(t, languageOf("Og det er for den som vi har med på"), "Danish or Norwegian")
	require.Equal(t, "en", languageOf(strings.Repeat(texts["en"], 1000)))
	require.Empty(t, languageOf("\xff\xfe"+strings.Repeat("\x80", 5000)))

	r := Reading{Health: HealthOK, Postings: []Posting{{Title: "a", Text: texts["de"]}, {Title: "b", Text: texts["de"], Facts: Facts{Language: "en"}}}}.Normalize()
	require.Equal(t, "de", r.Postings[0].Facts.Language)
	require.Equal(t, "en", r.Postings[1].Facts.Language, "what the source states counts")
	require.Equal(t, "de", Posting{Title: "a"}.Described(Facts{}, texts["de"]).Facts.Language)
}
