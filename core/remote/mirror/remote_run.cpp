#include "core/remote/mirror/remote_run.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/random.h>
#include <system_error>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/files/folders.h"
#include "core/base/text/visible_text.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/remote/jobs/job_folder.h"

namespace ulp::remote {
namespace {

constexpr std::string_view kRemoteSchema = "ulpscope.remote/1";
constexpr std::size_t kLargestRemoteFile = std::size_t{1} << 20;
constexpr std::string_view kRecordFolder = "remotes";
constexpr std::size_t kRecordName = 24;

std::string newRecordName() {
  std::array<unsigned char, kRecordName / 2> bytes{};
  static_cast<void>(!::getrandom(bytes.data(), bytes.size(), 0));
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

Result<json::Value> readRecordAt(const std::filesystem::path& file) {
  const std::string text = ULP_TRY(readTextFile(file, kLargestRemoteFile));
  json::Value value = ULP_TRY(whileDoing(file.string(), json::parseObject(text)));
  if (value.at("schema").text() != kRemoteSchema) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: its schema is '{}', and this version reads {}",
                            file.string(),
                            visibleText(value.at("schema").text()),
                            kRemoteSchema));
  }
  return value;
}

/// This user's record that a remote.json names.
Result<json::Value> recordOf(const json::Value& beside) {
  const std::string& id = beside.at("id").text();
  const bool isName =
      id.size() == kRecordName && id.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!isName) {
    return fail(ErrorCode::NotFound, "names no record");
  }
  const std::filesystem::path data = ULP_TRY(dataFolder());
  return readRecordAt(data / kRecordFolder / (id + ".json"));
}

Result<RemoteRun> readMark(const std::filesystem::path& file) {
  const json::Value beside = ULP_TRY(readRecordAt(file));
  const auto record = recordOf(beside);
  if (!record) {
    return fail(
        ErrorCode::NotFound,
        fmt::format("{}: names {} as the place of the tensors, but this user's Ulpscope did "
                    "not write it; open them there: ssh://{}{}",
                    file.string(),
                    visibleText(beside.at("host").text()),
                    visibleText(beside.at("host").text()),
                    visibleText(beside.at("folder").text())));
  }
  return RemoteRun{.host = ULP_TRY(whileDoing(file.string(), parseHost(record->at("host").text()))),
                   .program = record->at("program").text(),
                   .folder = record->at("folder").text(),
                   .job = record->at("job").text(),
                   .sent = record->at("sent").text(),
                   .attempt = static_cast<int>(beside.at("attempt").integer())};
}

Result<> writeMark(const std::filesystem::path& file, const RemoteRun& run) {
  const auto before = readRecordAt(file);
  const std::string id = before && recordOf(*before) ? before->at("id").text() : newRecordName();
  const auto textOf = [](json::Object members) {
    return json::dump(json::Value(std::move(members)), {.indent = 2}) + "\n";
  };
  const std::filesystem::path records = ULP_TRY(dataFolder()) / kRecordFolder;
  ULP_TRY(makeFolders(records));
  ULP_TRY(writeFileAtomically(records / (id + ".json"),
                              textOf({{"schema", kRemoteSchema},
                                      {"host", run.host.destination},
                                      {"program", run.program},
                                      {"folder", run.folder},
                                      {"job", run.job},
                                      {"sent", run.sent}})));
  return writeFileAtomically(file,
                             textOf({{"schema", kRemoteSchema},
                                     {"id", id},
                                     {"host", run.host.destination},
                                     {"folder", run.folder},
                                     {"attempt", run.attempt}}));
}

}  // namespace

bool isRemoteRun(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / kRemoteFile, ignored);
}

bool isRemoteDump(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / kRemoteDumpFile, ignored);
}

Result<RemoteRun> readRemoteRun(const std::filesystem::path& folder) {
  return readMark(folder / kRemoteFile);
}
Result<RemoteRun> readRemoteDump(const std::filesystem::path& folder) {
  return readMark(folder / kRemoteDumpFile);
}
Result<> writeRemoteRun(const std::filesystem::path& folder, const RemoteRun& run) {
  return writeMark(folder / kRemoteFile, run);
}
Result<> writeRemoteDump(const std::filesystem::path& folder, const RemoteRun& dump) {
  return writeMark(folder / kRemoteDumpFile, dump);
}

}  // namespace ulp::remote
