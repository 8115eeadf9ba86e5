package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const folderPrefix = "boardwatch-browser-"

// folderName is the pattern of a browser's folder. It names the process that will remove the folder.
func folderName() string {
	return folderPrefix + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(birth(os.Getpid()), 10) + "-*"
}

// removeLeftovers removes the folders of browsers whose program died before it could remove them.
func removeLeftovers(dir string) {
	folders, err := filepath.Glob(filepath.Join(dir, folderPrefix+"*"))
	if err != nil {
		return // the pattern is well formed
	}
	for _, folder := range folders {
		parts := strings.Split(strings.TrimPrefix(filepath.Base(folder), folderPrefix), "-")
		if len(parts) != 3 {
			continue
		}
		pid, err := strconv.Atoi(parts[0])
		born, err2 := strconv.ParseInt(parts[1], 10, 64)
		if err == nil && err2 == nil && !mayRun(pid, born) {
			removeFolder(folder)
		}
	}
}

// removeFolder removes a browser's folder. A helper process that is just ending may still write to it.
func removeFolder(dir string) {
	for wait := 10 * time.Millisecond; os.RemoveAll(dir) != nil && wait < 2*time.Second; wait *= 2 {
		<-time.After(wait)
	}
}
