#include "app/cli/run/shipped_study.h"

#include <system_error>

namespace ulp::cli {

namespace fs = std::filesystem;

fs::path studyNamed(const fs::path& name, const fs::path& program) {
  std::error_code ignored;
  if (name.empty() || name.has_parent_path() || fs::exists(name, ignored)) {
    return name;
  }
  fs::path file = name;
  if (file.extension() != ".yaml") {
    file += ".yaml";
  }
  const fs::path installed = program.parent_path().parent_path();
  // A package of a distribution has its programs in lib/ulpscope/bin.
  for (const fs::path& place : {installed, installed.parent_path().parent_path()}) {
    fs::path shipped = place / "share/ulpscope/configs" / file;
    if (fs::exists(shipped, ignored)) {
      return shipped;
    }
  }
  return name;
}

}  // namespace ulp::cli
