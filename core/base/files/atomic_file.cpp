#include "core/base/files/atomic_file.h"

#include <span>
#include <string>
#include <system_error>

#include "core/base/files/mapped_file.h"

namespace ulp {

Result<> writeFileAtomically(const std::filesystem::path& path,
                             std::string_view content,
                             LinkPolicy links) {
  auto file = ULP_TRY(FileWriter::create(path, links));
  ULP_TRY(file.write(std::as_bytes(std::span(content))));
  return file.commit();
}

Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t limitBytes) {
  const auto file = ULP_TRY(MappedFile::open(path));
  const auto bytes = file->bytes();
  if (bytes.size() > limitBytes) {
    return fail(ErrorCode::InvalidArgument,
                path.string() + ": larger than expected of such a file");
  }
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  ULP_TRY(file->checkIntact());
  return text;
}

Result<std::filesystem::path> setAside(const std::filesystem::path& path) {
  constexpr int kTries = 1000;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return fail(ErrorCode::NotFound, path.string() + ": does not exist");
  }
  for (int i = 1; i < kTries; ++i) {
    std::filesystem::path aside = path;
    aside += i == 1 ? std::string(".damaged") : ".damaged-" + std::to_string(i);
    if (std::filesystem::exists(aside, error)) {
      continue;
    }
    std::filesystem::rename(path, aside, error);
    if (error) {
      const std::string what = "cannot be renamed to " + aside.filename().string();
      return fail(systemError(path, what, error.value()));
    }
    return aside;
  }
  return fail(ErrorCode::Io,
              path.string() + ": too many damaged files beside it; remove some of them");
}

}  // namespace ulp
