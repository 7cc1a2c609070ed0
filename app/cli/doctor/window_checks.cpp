#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/doctor/checks.h"
#include "core/pictures/pictures.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

std::string setting(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::string() : std::string(value);
}

Check windowCheck() {
  std::error_code error;
  const fs::path window = fs::read_symlink("/proc/self/exe", error).parent_path() / "ulpscope";
  if (::access(window.c_str(), X_OK) == 0) {
    return {"window", CheckState::Fine, window.string()};
  }
  return {"window",
          CheckState::Absent,
          "this is the command line alone",
          "copy run folders to where the window is installed"};
}

Check displayCheck() {
  for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"}) {
    if (const std::string display = setting(name); !display.empty()) {
      return {"display", CheckState::Fine, fmt::format("{}={}", name, display)};
    }
  }
  return {"display",
          CheckState::Absent,
          "neither DISPLAY nor WAYLAND_DISPLAY is set",
          "pictures need none; the window opens on a desktop, or over ssh -X"};
}

}  // namespace

std::vector<Check> windowChecks(const CommandContext& context) {
  std::vector<Check> checks{windowCheck()};
  if (const auto pictures = context.openPictures(); !pictures) {
    checks.push_back({"pictures",
                      CheckState::Absent,
                      pictures.error().message(),
                      "figures, HTML and PDF reports need it; tables do not"});
  } else {
    const pictures::PictureFacts facts = (*pictures)->facts();
    checks.push_back({"pictures", CheckState::Fine, fmt::format("Qt {}", facts.qtVersion)});
    checks.push_back(facts.fontFamilies > 0
                         ? Check{"fonts",
                                 CheckState::Fine,
                                 fmt::format("{} families, {}", facts.fontFamilies, facts.font)}
                         : Check{"fonts",
                                 CheckState::Broken,
                                 "none is found: texts are drawn as boxes",
                                 "apt-get install fonts-dejavu-core, or QT_QPA_FONTDIR=FOLDER"});
  }
  if (checks.front().state == CheckState::Fine) {
    checks.push_back(displayCheck());
  }
  return checks;
}

}  // namespace ulp::cli
