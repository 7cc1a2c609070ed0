#include "runner/worker/input/code_digest.h"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>
#include <span>

#include "core/base/files/atomic_file.h"

namespace ulp::worker {
namespace {

std::string sha256Of(std::span<const std::byte> bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  return fmt::format("{:02x}", fmt::join(std::span(digest).first(size), ""));
}

}  // namespace

std::map<std::string, std::string, std::less<>> codeDigests(const study::Study& study,
                                                            const study::Settings& settings) {
  std::map<std::string, std::string, std::less<>> digests;
  for (const char* key : {"model.factory", "python.prepare"}) {
    const auto setting = settings.find(key);
    if (setting == settings.end() || setting->second.value.empty()) {
      continue;
    }
    const std::string function = study::resolveFunction(study, setting->second.value);
    if (const auto file = readTextFile(function.substr(0, function.rfind(':')))) {
      digests[key] = sha256Of(std::as_bytes(std::span(*file)));
    }
  }
  return digests;
}

}  // namespace ulp::worker
