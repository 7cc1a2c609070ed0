#include "runner/worker/input/file_digests.h"

#include <array>
#include <string_view>

#include "core/base/digest/sha256.h"
#include "core/base/error.h"

namespace ulp::worker {
namespace {

constexpr std::string_view kModelPath = "model.path";
constexpr std::string_view kLossPath = "loss.path";
constexpr std::array kKeys{
    kModelPath, kLossPath, std::string_view("model.factory"), std::string_view("python.prepare")};

}  // namespace

/// Empty: the study reads none.
std::filesystem::path FileDigests::fileOf(std::string_view key, const std::string& value) const {
  if (key == kModelPath) {
    const auto model = study::resolveModelPath(m_study);
    return model ? *model / "config.json" : std::filesystem::path();
  }
  if (key == kLossPath) {
    return m_study.loss.readsFile() ? m_study.loss.path : std::filesystem::path();
  }
  const std::string function = study::resolveFunction(m_study, value);
  return function.substr(0, function.rfind(':'));
}

Result<FileDigests::ByKey> FileDigests::of(const study::Settings& settings) {
  ByKey digests;
  for (const std::string_view key : kKeys) {
    const auto setting = settings.find(key);
    if (setting == settings.end() || setting->second.value.empty()) {
      continue;
    }
    const auto [known, isNew] = m_known.try_emplace(fileOf(key, setting->second.value));
    if (isNew && !known->first.empty()) {
      auto digest = sha256OfFiles({known->first});
      if (!digest && digest.error().code() == ErrorCode::Internal) {
        return tl::unexpected(digest.error());
      }
      known->second = digest.value_or("");
    }
    if (!known->second.empty()) {
      digests.emplace(key, known->second);
    }
  }
  return digests;
}

}  // namespace ulp::worker
