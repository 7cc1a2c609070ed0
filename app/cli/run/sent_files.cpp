#include "app/cli/run/sent_files.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <system_error>

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kCodeKeys{"model.factory", "python.prepare"};
constexpr std::array<std::string_view, 3> kDataKeys{"input.path", "loss.path", "input.tokenizer"};
/// Larger ones lie on the host already, or belong there.
constexpr std::uintmax_t kLargestFile = std::uintmax_t{128} << 20;

/// All that a study says of a key, in any run.
std::set<std::string> valuesOf(const study::Study& study, std::string_view key) {
  std::set<std::string> values;
  if (const auto found = study.settings.find(key); found != study.settings.end()) {
    values.insert(found->second.value);
  }
  const auto add = [&](const study::Overrides& overrides) {
    for (const auto& [path, setting] : overrides) {
      if (path == key) {
        values.insert(setting.value);
      }
    }
  };
  add(study.reference);
  for (const study::Variant& variant : study.variants) {
    add(variant.overrides);
  }
  values.erase("");
  values.erase("null");
  return values;
}

class FileList {
 public:
  explicit FileList(fs::path folder) : m_folder(std::move(folder)) {}

  Result<> add(const fs::path& written, std::string_view what) {
    const fs::path name = written.lexically_normal();
    if (name.is_absolute() || name.empty() || *name.begin() == "..") {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: {}: lies outside of the study's folder, and only what lies in "
                              "it can be sent; move it there, or copy it to the host and name "
                              "its whole path there",
                              what,
                              written.string()));
    }
    std::error_code code;
    const fs::path file = m_folder / name;
    if (fs::is_directory(file, code)) {
      for (fs::recursive_directory_iterator entry(file, code), end; !code && entry != end;
           entry.increment(code)) {
        if (entry->is_regular_file(code) && entry->path().extension() != ".pyc") {
          ULP_TRY(addFile(entry->path(), entry->path().lexically_relative(m_folder), what));
        }
      }
      return {};
    }
    return addFile(file, name, what);
  }

  [[nodiscard]] bool isBeside(const fs::path& written) const {
    std::error_code code;
    return written.is_relative() && fs::is_regular_file(m_folder / written, code);
  }

  [[nodiscard]] std::vector<SentFile> take() { return std::move(m_files); }

 private:
  Result<> addFile(const fs::path& file, const fs::path& name, std::string_view what) {
    std::error_code code;
    const auto size = fs::file_size(file, code);
    if (code) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: {}: {}; it is sent to the host with the study",
                              what,
                              file.string(),
                              code.message()));
    }
    if (size > kLargestFile) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: {}: is too large to be sent with a study; copy it to the host "
                              "and name its whole path there",
                              what,
                              file.string()));
    }
    if (std::ranges::find(m_files, name.string(), &SentFile::name) == m_files.end()) {
      m_files.push_back({file, name.string()});
    }
    return {};
  }

  fs::path m_folder;
  std::vector<SentFile> m_files;
};

}  // namespace

Result<std::vector<SentFile>> filesToSend(const study::Study& study,
                                          const std::vector<std::string>& more) {
  FileList list(study.file.parent_path());
  ULP_TRY(list.add(study.file.filename(), "study"));
  for (const std::string_view key : kCodeKeys) {
    for (const std::string& value : valuesOf(study, key)) {
      const fs::path file = value.substr(0, value.rfind(':'));
      // One with its whole path, or in a home, is on the host.
      if (!file.is_absolute() && !value.starts_with('~')) {
        ULP_TRY(list.add(file, key));
      }
    }
  }
  for (const std::string_view key : kDataKeys) {
    for (const std::string& value : valuesOf(study, key)) {
      if (list.isBeside(value)) {
        ULP_TRY(list.add(value, key));
      }
    }
  }
  for (const std::string& each : more) {
    ULP_TRY(list.add(each, "--send"));
  }
  return list.take();
}

}  // namespace ulp::cli
