#include "runner/worker/input/file_digests.h"

#include <array>
#include <fmt/format.h>
#include <string_view>
#include <system_error>

#include "core/base/digest/sha256.h"
#include "core/base/error.h"

namespace ulp::worker {
namespace {

constexpr std::string_view kModelPath = "model.path";
constexpr std::string_view kLossPath = "loss.path";
constexpr std::array kKeys{
    kModelPath, kLossPath, std::string_view("model.factory"), std::string_view("python.prepare")};

std::filesystem::path fileOfFunction(const study::Study& study, const std::string& value) {
  const std::string function = study::resolveFunction(study, value);
  return function.substr(0, function.rfind(':'));
}

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
  return fileOfFunction(m_study, value);
}

Result<> checkUnchanged(const study::Study& study,
                        const study::Settings& settings,
                        const FileDigests::ByKey& planned,
                        const std::map<std::string, std::string>& ran) {
  for (const auto& [key, digest] : planned) {
    std::error_code ignored;
    const auto file = fileOfFunction(study, settings.find(key)->second.value);
    const std::string path = std::filesystem::absolute(file, ignored).lexically_normal().string();
    const auto found = ran.find(path);
    if (found != ran.end() && found->second != digest) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: {} was changed since the study began; run it again", key, path));
    }
  }
  return {};
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
