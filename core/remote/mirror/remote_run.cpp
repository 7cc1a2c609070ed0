#include "core/remote/mirror/remote_run.h"

#include <fmt/format.h>
#include <system_error>

#include "core/base/files/atomic_file.h"
#include "core/json/dump.h"
#include "core/json/parse.h"

namespace ulp::remote {
namespace {

constexpr std::string_view kRemoteSchema = "ulpscope.remote/1";
constexpr std::size_t kLargestRemoteFile = std::size_t{1} << 20;

}  // namespace

bool isRemoteRun(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / kRemoteFile, ignored);
}

Result<RemoteRun> readRemoteRun(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kRemoteFile;
  const std::string text = ULP_TRY(readTextFile(file, kLargestRemoteFile));
  const json::Value value = ULP_TRY(whileDoing(file.string(), json::parseObject(text)));
  if (value.at("schema").text() != kRemoteSchema) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: its schema is '{}', and this version reads {}",
                            file.string(),
                            value.at("schema").text(),
                            kRemoteSchema));
  }
  return RemoteRun{.host = ULP_TRY(whileDoing(file.string(), parseHost(value.at("host").text()))),
                   .program = value.at("program").text(),
                   .folder = value.at("folder").text(),
                   .job = value.at("job").text(),
                   .attempt = static_cast<int>(value.at("attempt").integer())};
}

Result<> writeRemoteRun(const std::filesystem::path& folder, const RemoteRun& run) {
  const json::Value value = json::Object{{"schema", kRemoteSchema},
                                         {"host", run.host.destination},
                                         {"program", run.program},
                                         {"folder", run.folder},
                                         {"job", run.job},
                                         {"attempt", run.attempt}};
  return writeFileAtomically(folder / kRemoteFile, json::dump(value, {.indent = 2}) + "\n");
}

}  // namespace ulp::remote
