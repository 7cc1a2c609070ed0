#include "core/base/files/atomic_file.h"

#include <span>
#include <string>

#include "core/base/files/file_writer.h"
#include "core/base/files/mapped_file.h"

namespace ulp {

Result<> writeFileAtomically(const std::filesystem::path& path, std::string_view content) {
  auto file = ULP_TRY(FileWriter::create(path, ".writing"));
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
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace ulp
