package demo

func engineering(names ...string) trade { return trade{"Engineering", names} }

// Companies are the companies beside the one of demo_site.go: one for each way in which a board is read or fails to be.
func Companies() []Employer {
	sales := trade{"Sales", []string{"Account Executive", "Sales Engineer", "Partnerships Manager", "Customer Success Manager"}}
	office := trade{"Finance and People", []string{"Payroll Specialist", "Recruiter", "Financial Controller", "Office Manager"}}
	design := trade{"Design", []string{"Product Designer", "UX Researcher", "Brand Designer", "Design Engineer"}}
	return []Employer{
		{
			"Ferncliff Robotics", "https://boards.greenhouse.io/ferncliffrobotics", greenhouse, 34, grows,
			[]string{"Zurich", "Turin", "Remote"},
			[]trade{
				engineering("Motion Planning Engineer", "Embedded Software Engineer", "Perception Engineer", "Test Engineer", "Machine Learning Engineer", "Mechanical Engineer"),
				{"Manufacturing", []string{"Assembly Technician", "Supply Chain Planner", "Quality Inspector", "Production Lead"}},
				sales, office,
			},
		},
		{
			"Tidewater Analytics", "https://jobs.lever.co/tidewateranalytics", lever, 26, shrinks,
			[]string{"Lisbon", "Boston", "Remote"},
			[]trade{engineering("Data Engineer", "Backend Engineer", "Site Reliability Engineer", "Analytics Engineer"), sales, design, office},
		},
		{
			"Quillfeather Games", "https://jobs.ashbyhq.com/quillfeathergames", ashby, 18, steady,
			[]string{"Montreal", "Malmö"},
			[]trade{
				engineering("Gameplay Programmer", "Engine Programmer", "Tools Programmer", "Network Programmer"),
				{"Art", []string{"Character Artist", "Environment Artist", "Technical Artist", "Animator"}},
				design,
			},
		},
		{
			"Saltmarsh Energy", "https://saltmarsh.example/careers", embedding, 22, grows,
			[]string{"Esbjerg", "Aberdeen", "Rotterdam"},
			[]trade{
				engineering("Wind Turbine Engineer", "Grid Connection Engineer", "SCADA Engineer", "Cable Engineer"),
				{"Operations", []string{"Service Technician", "Site Manager", "Vessel Coordinator", "Safety Adviser"}},
				office,
			},
		},
		{
			"Lindenhof Verlag", "https://lindenhof.example/stellenangebote", german, 9, steady,
			[]string{"Leipzig", "Wien"},
			[]trade{
				{"Lektorat", []string{"Lektorin Belletristik", "Lektor Sachbuch", "Übersetzerin", "Volontär im Lektorat"}},
				{"Herstellung", []string{"Mediengestalter", "Herstellerin", "Buchbinder", "Grafikerin"}},
			},
		},
		{
			"Marrow & Pine", "https://marrowandpine.example/jobs", table, 14, shrinks,
			[]string{"Portland", "Oslo"},
			[]trade{
				{"Kitchen", []string{"Pastry Chef", "Sous Chef", "Baker", "Recipe Developer"}},
				{"Shops", []string{"Shop Manager", "Barista", "Merchandiser", "Shift Lead"}},
				office,
			},
		},
		{
			"Northbeam Optics", "http://northbeam.example/careers", rendered, 16, steady,
			[]string{"Jena", "Rochester"},
			[]trade{
				engineering("Lens Designer", "Laser Physicist", "Photonics Engineer", "Firmware Engineer"),
				{"Laboratory", []string{"Metrology Technician", "Clean Room Operator", "Coating Specialist", "Lab Manager"}},
			},
		},
		{
			"Copperfield Logistics", "https://copperfield.example/vacancies", Halved, 20, steady,
			[]string{"Antwerp", "Hamburg", "Gdansk"},
			[]trade{
				{"Warehouse", []string{"Forklift Driver", "Warehouse Lead", "Stock Controller", "Night Shift Manager"}},
				{"Transport", []string{"Route Planner", "Customs Clerk", "Fleet Mechanic", "Dispatcher"}},
				office,
			},
		},
		{
			"Vaultline Bank", "https://vaultline.example/careers", Walled, 12, steady,
			[]string{"Frankfurt", "Dublin"},
			[]trade{engineering("Payments Engineer", "Security Engineer", "Mainframe Developer", "Risk Modeller"), office},
		},
		{
			"Oakum & Sons", "https://oakum.example/work-with-us", taught, 8, steady,
			[]string{"Falmouth", "Brest"},
			[]trade{
				{"Yard", []string{"Shipwright", "Rigger", "Sailmaker", "Caulker"}},
				{"Loft", []string{"Naval Architect", "Draughtsperson", "Model Maker", "Surveyor"}},
			},
		},
		{"Brightwater Clinic", "https://brightwater.example/jobs", Empty, 0, steady, nil, nil},
	}
}
