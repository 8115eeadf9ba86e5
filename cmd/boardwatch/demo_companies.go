package main

func demoEngineering(names ...string) demoTrade { return demoTrade{"Engineering", names} }

// demoCompanies are the companies beside the one of demo_site.go: one for each way in which a board is read or fails to be.
func demoCompanies() []demoEmployer {
	sales := demoTrade{"Sales", []string{"Account Executive", "Sales Engineer", "Partnerships Manager", "Customer Success Manager"}}
	office := demoTrade{"Finance and People", []string{"Payroll Specialist", "Recruiter", "Financial Controller", "Office Manager"}}
	design := demoTrade{"Design", []string{"Product Designer", "UX Researcher", "Brand Designer", "Design Engineer"}}
	return []demoEmployer{
		{
			"Ferncliff Robotics", "https://boards.greenhouse.io/ferncliffrobotics", demoGreenhouse, 34, demoGrows,
			[]string{"Zurich", "Turin", "Remote"},
			[]demoTrade{
				demoEngineering("Motion Planning Engineer", "Embedded Software Engineer", "Perception Engineer", "Test Engineer", "Machine Learning Engineer", "Mechanical Engineer"),
				{"Manufacturing", []string{"Assembly Technician", "Supply Chain Planner", "Quality Inspector", "Production Lead"}},
				sales, office,
			},
		},
		{
			"Tidewater Analytics", "https://jobs.lever.co/tidewateranalytics", demoLever, 26, demoShrinks,
			[]string{"Lisbon", "Boston", "Remote"},
			[]demoTrade{demoEngineering("Data Engineer", "Backend Engineer", "Site Reliability Engineer", "Analytics Engineer"), sales, design, office},
		},
		{
			"Quillfeather Games", "https://jobs.ashbyhq.com/quillfeathergames", demoAshby, 18, demoSteady,
			[]string{"Montreal", "Malmö"},
			[]demoTrade{
				demoEngineering("Gameplay Programmer", "Engine Programmer", "Tools Programmer", "Network Programmer"),
				{"Art", []string{"Character Artist", "Environment Artist", "Technical Artist", "Animator"}},
				design,
			},
		},
		{
			"Saltmarsh Energy", "https://saltmarsh.example/careers", demoEmbedding, 22, demoGrows,
			[]string{"Esbjerg", "Aberdeen", "Rotterdam"},
			[]demoTrade{
				demoEngineering("Wind Turbine Engineer", "Grid Connection Engineer", "SCADA Engineer", "Cable Engineer"),
				{"Operations", []string{"Service Technician", "Site Manager", "Vessel Coordinator", "Safety Adviser"}},
				office,
			},
		},
		{
			"Lindenhof Verlag", "https://lindenhof.example/stellenangebote", demoGerman, 9, demoSteady,
			[]string{"Leipzig", "Wien"},
			[]demoTrade{
				{"Lektorat", []string{"Lektorin Belletristik", "Lektor Sachbuch", "Übersetzerin", "Volontär im Lektorat"}},
				{"Herstellung", []string{"Mediengestalter", "Herstellerin", "Buchbinder", "Grafikerin"}},
			},
		},
		{
			"Marrow & Pine", "https://marrowandpine.example/jobs", demoTable, 14, demoShrinks,
			[]string{"Portland", "Oslo"},
			[]demoTrade{
				{"Kitchen", []string{"Pastry Chef", "Sous Chef", "Baker", "Recipe Developer"}},
				{"Shops", []string{"Shop Manager", "Barista", "Merchandiser", "Shift Lead"}},
				office,
			},
		},
		{
			"Northbeam Optics", "http://northbeam.example/careers", demoRendered, 16, demoSteady,
			[]string{"Jena", "Rochester"},
			[]demoTrade{
				demoEngineering("Lens Designer", "Laser Physicist", "Photonics Engineer", "Firmware Engineer"),
				{"Laboratory", []string{"Metrology Technician", "Clean Room Operator", "Coating Specialist", "Lab Manager"}},
			},
		},
		{
			"Copperfield Logistics", "https://copperfield.example/vacancies", demoHalved, 20, demoSteady,
			[]string{"Antwerp", "Hamburg", "Gdansk"},
			[]demoTrade{
				{"Warehouse", []string{"Forklift Driver", "Warehouse Lead", "Stock Controller", "Night Shift Manager"}},
				{"Transport", []string{"Route Planner", "Customs Clerk", "Fleet Mechanic", "Dispatcher"}},
				office,
			},
		},
		{
			"Vaultline Bank", "https://vaultline.example/careers", demoWalled, 12, demoSteady,
			[]string{"Frankfurt", "Dublin"},
			[]demoTrade{demoEngineering("Payments Engineer", "Security Engineer", "Mainframe Developer", "Risk Modeller"), office},
		},
		{
			"Oakum & Sons", "https://oakum.example/work-with-us", demoTaught, 8, demoSteady,
			[]string{"Falmouth", "Brest"},
			[]demoTrade{
				{"Yard", []string{"Shipwright", "Rigger", "Sailmaker", "Caulker"}},
				{"Loft", []string{"Naval Architect", "Draughtsperson", "Model Maker", "Surveyor"}},
			},
		},
		{"Brightwater Clinic", "https://brightwater.example/jobs", demoEmpty, 0, demoSteady, nil, nil},
	}
}
