#include "runner/worker/input/code_digest.h"

#include "core/base/digest/sha256.h"
#include "core/base/files/atomic_file.h"

namespace ulp::worker {

Result<std::map<std::string, std::string, std::less<>>> codeDigests(
    const study::Study& study, const study::Settings& settings) {
  std::map<std::string, std::string, std::less<>> digests;
  for (const char* key : {"model.factory", "python.prepare"}) {
    const auto setting = settings.find(key);
    if (setting == settings.end() || setting->second.value.empty()) {
      continue;
    }
    const std::string function = study::resolveFunction(study, setting->second.value);
    if (const auto file = readTextFile(function.substr(0, function.rfind(':')))) {
      digests[key] = ULP_TRY(sha256(*file));
    }
  }
  return digests;
}

}  // namespace ulp::worker
