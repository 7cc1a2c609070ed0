#include "core/remote/fetching/fetched_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <span>
#include <sys/stat.h>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/files/file_writer.h"
#include "core/base/files/folders.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"
#include "core/remote/mirror/remote_run.h"
#include "core/remote/protocol/mirrored_files.h"
#include "core/remote/ssh/session.h"
#include "core/tensors/store/capture_layout.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFetchedAtOnce = std::size_t{4} << 20;
constexpr std::size_t kMostFiles = 200'000;
constexpr int kDeepest = 32;
constexpr int kTriesOfAFile = 3;

/// An entry of a folder on the host.
struct HostEntry {
  std::string path;
  std::string name;
  bool isFolder = false;
  bool isFile = false;
  std::uint64_t size = 0;
  std::string stamp;
};

HostEntry entryIn(const json::Value& value) {
  const std::string& kind = value.at("kind").text();
  return {value.at("path").text(),
          value.at("name").text(),
          kind == "folder",
          kind == "file",
          static_cast<std::uint64_t>(std::max<std::int64_t>(0, value.at("size").integer())),
          value.at("stamp").text()};
}

bool isPlainName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

/// The time in a stamp: "size-seconds.nanoseconds-number".
timespec timeIn(std::string_view stamp) {
  const auto parts = split(stamp, '-');
  const auto time = split(parts.size() == 3 ? parts[1] : "0.0", '.');
  return {.tv_sec = parseNumber<std::int64_t>(time.front()).value_or(0),
          .tv_nsec = parseNumber<std::int64_t>(time.back()).value_or(0)};
}

/// Whether the file here is that of the host: it gets its time when it is fetched.
bool isSame(const fs::path& here, const HostEntry& there) {
  struct stat status {};
  const timespec time = timeIn(there.stamp);
  return ::stat(here.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         static_cast<std::uint64_t>(status.st_size) == there.size &&
         status.st_mtim.tv_sec == time.tv_sec && status.st_mtim.tv_nsec == time.tv_nsec;
}

class Fetcher {
 public:
  Fetcher(Session& session, const FetchOptions& options) : m_session(session), m_options(options) {}

  Result<HostEntry> look(const std::string& path) {
    return entryIn(
        ULP_TRY(m_session.ask({.head = json::Object{{"ask", "stat"}, {"path", path}}})).head);
  }

  Result<std::vector<HostEntry>> list(const std::string& folder) {
    const Frame answer =
        ULP_TRY(m_session.ask({.head = json::Object{{"ask", "list"}, {"path", folder}}}));
    std::vector<HostEntry> entries;
    for (const json::Value& each : answer.head.at("entries").items()) {
      entries.push_back(entryIn(each));
      if (!isPlainName(entries.back().name)) {
        return fail(ErrorCode::CorruptData, folder + ": the host lists what is no name");
      }
    }
    return entries;
  }

  /// All files below a folder, which is not fetched yet.
  Result<> collect(const std::string& folder, const fs::path& here, int depth = 0) {
    if (depth > kDeepest) {
      return fail(ErrorCode::Unsupported, folder + ": folders lie too deep in each other");
    }
    for (HostEntry& entry : ULP_TRY(list(folder))) {
      const fs::path place = here / entry.name;
      if (entry.isFolder) {
        ULP_TRY(collect(entry.path, place, depth + 1));
      } else if (entry.isFile) {
        ULP_TRY(add(std::move(entry), place));
      }
    }
    return {};
  }

  Result<> add(HostEntry entry, const fs::path& here) {
    m_total += entry.size;
    m_wanted.emplace_back(std::move(entry), here);
    if (m_total > m_options.mostBytes || m_wanted.size() > kMostFiles) {
      return fail(ErrorCode::Unsupported,
                  fmt::format("{}: more than {} GiB or {} files would have to be copied; compare "
                              "there, with `ssh {} ulpscope-cli …`",
                              m_session.host().destination,
                              m_options.mostBytes >> 30U,
                              kMostFiles,
                              m_session.host().destination));
    }
    return {};
  }

  Result<> fetchAll() {
    for (const auto& [entry, here] : m_wanted) {
      if (m_options.see) {
        m_options.see(entry.path, m_done, m_total);
      }
      if (!isSame(here, entry)) {
        ULP_TRY(fetchFile(entry, here));
      }
      m_done += entry.size;
    }
    return {};
  }

 private:
  Result<> fetchFile(const HostEntry& entry, const fs::path& here) {
    ULP_TRY(makeFolders(here.parent_path()));
    std::error_code ignored;
    if (fs::is_directory(here, ignored)) {
      // The mark of a file that was read there.
      fs::remove(here / kRemoteDumpFile, ignored);
      fs::remove(here, ignored);
    }
    for (int i = 0; i < kTriesOfAFile; ++i) {
      if (ULP_TRY(fetchOnce(entry, here))) {
        return {};
      }
    }
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: {}: is written to all the time; open it when that is over",
                            m_session.host().destination,
                            entry.path));
  }

  /// False: the file was changed or replaced meanwhile.
  Result<bool> fetchOnce(const HostEntry& entry, const fs::path& here) {
    FileWriter writer = ULP_TRY(FileWriter::create(here));
    std::string stamp;
    std::uint64_t offset = 0;
    while (true) {
      const Frame part = ULP_TRY(m_session.ask({.head = json::Object{{"ask", "read"},
                                                                     {"path", entry.path},
                                                                     {"offset", offset},
                                                                     {"size", kFetchedAtOnce}}}));
      const std::string& now = part.head.at("stamp").text();
      if (!stamp.empty() && now != stamp) {
        return false;
      }
      stamp = now;
      ULP_TRY(writer.write(std::as_bytes(std::span(part.bytes))));
      offset += part.bytes.size();
      if (m_options.see) {
        m_options.see(entry.path, m_done + offset, m_total);
      }
      if (part.bytes.empty() ||
          offset >= static_cast<std::uint64_t>(part.head.at("size").integer())) {
        break;
      }
    }
    const std::array<timespec, 2> times{timespec{.tv_sec = 0, .tv_nsec = UTIME_NOW}, timeIn(stamp)};
    ::futimens(writer.descriptor(), times.data());
    ULP_TRY(writer.commit(Durability::WithItsFolder));
    return true;
  }

  Session& m_session;
  const FetchOptions& m_options;
  std::vector<std::pair<HostEntry, fs::path>> m_wanted;
  std::uint64_t m_total = 0;
  std::uint64_t m_done = 0;
};

/// What of a run belongs here.
Result<> fetchRun(Fetcher& fetcher,
                  const std::vector<HostEntry>& entries,
                  const RemoteRun& run,
                  const fs::path& here) {
  const auto add = [&](std::string_view name) -> Result<> {
    const auto found = std::ranges::find(entries, name, &HostEntry::name);
    return found != entries.end() && found->isFile ? fetcher.add(*found, here / name) : Result<>();
  };
  for (const std::string_view name : kAppendedFiles) {
    ULP_TRY(add(name));
  }
  ULP_TRY(add(kFinalFile));
  for (const std::string_view name : kReplacedFiles) {
    ULP_TRY(add(name));
  }
  ULP_TRY(fetcher.fetchAll());
  std::error_code ignored;
  fs::remove(here / tensors::kIndexFile, ignored);  // of a copy of something else that was there
  return writeRemoteRun(here, run);
}

/// A name of a folder for a host: of an address the slashes are left out.
std::string folderOf(const Host& host) {
  std::string name = host.destination;
  constexpr std::string_view kScheme = "ssh://";
  if (name.starts_with(kScheme)) {
    name.erase(0, kScheme.size());
  }
  std::ranges::replace(name, '/', '_');
  return name;
}

}  // namespace

Result<fs::path> hostCacheFolder() {
  const char* named = std::getenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe)
  if (named != nullptr && *named == '/') {
    return fs::path(named) / "ulpscope" / "hosts";
  }
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): never set by us
  if (home == nullptr || *home == '\0') {
    return fail(ErrorCode::NotFound, "$HOME is not set, so that nothing of a host can be kept");
  }
  return fs::path(home) / ".cache" / "ulpscope" / "hosts";
}

Result<fs::path> fetch(const Location& location, const FetchOptions& options) {
  const fs::path cache = options.cache.empty() ? ULP_TRY(hostCacheFolder()) : options.cache;
  const std::shared_ptr<Session> session = sharedSession(location.host, options.program);
  Fetcher fetcher(*session, options);
  if (const std::size_t hash = location.path.rfind('#'); hash != std::string::npos) {
    const auto looked = fetcher.look(location.path);
    if (!looked && looked.error().code() == ErrorCode::NotFound) {
      // FOLDER#RUN: which run is meant is said to who opens the folder.
      Location folder = location;
      folder.path.resize(hash);
      fs::path here = ULP_TRY(fetch(folder, options));
      return here += location.path.substr(hash);
    }
  }
  const HostEntry found = ULP_TRY(fetcher.look(location.path));
  const fs::path there(found.path);
  if (!there.is_absolute()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: the host says that it is '{}'", toText(location), found.path));
  }
  const fs::path here = cache / folderOf(location.host) / there.lexically_normal().relative_path();
  const bool isReport = there.filename() == kReport || there.filename() == tensors::kIndexFile;
  const std::string folder = isReport ? there.parent_path().string() : found.path;
  if (found.isFolder || isReport) {
    const auto entries = ULP_TRY(fetcher.list(folder));
    if (std::ranges::find(entries, kReport, &HostEntry::name) != entries.end()) {
      const fs::path place = isReport ? here.parent_path() : here;
      ULP_TRY(makeFolders(place));
      ULP_TRY(fetchRun(fetcher,
                       entries,
                       {.host = location.host, .program = options.program, .folder = folder},
                       place));
      return place;
    }
  }
  std::error_code ignored;
  // The files of a run are small, and who opens the run looks for them.
  if (!options.wholeDumps && (found.isFolder || !isRemoteRun(here.parent_path()))) {
    // Whether it is a dump is known to who reads it there; what is none is copied.
    const auto dump = session->ask({.head = json::Object{{"ask", "dump"}, {"path", found.path}}});
    if (dump) {
      if (!found.isFolder && fs::is_regular_file(here, ignored)) {
        fs::remove(here, ignored);  // a copy, of who could not open it there
      }
      ULP_TRY(makeFolders(here));
      ULP_TRY(writeRemoteDump(
          here, {.host = location.host, .program = options.program, .folder = found.path}));
      return here;
    }
    if (dump.error().code() == ErrorCode::Cancelled) {
      return tl::unexpected(dump.error());
    }
  }
  if (found.isFolder) {
    fs::remove(here / kRemoteDumpFile, ignored);
    ULP_TRY(fetcher.collect(found.path, here));
  } else {
    ULP_TRY(fetcher.add(found, here));
  }
  ULP_TRY(fetcher.fetchAll());
  ULP_TRY(makeFolders(found.isFolder ? here : here.parent_path()));
  return here;
}

std::string placeOnHost(const fs::path& fetched) {
  const auto cache = hostCacheFolder();
  if (!cache) {
    return {};
  }
  const fs::path below = fetched.lexically_normal().lexically_relative(*cache);
  if (below.empty() || *below.begin() == ".." || *below.begin() == ".") {
    return {};
  }
  const fs::path host = *below.begin();
  return fmt::format("ssh://{}/{}", host.string(), below.lexically_relative(host).string());
}

void keepBelow(const fs::path& folder, std::uint64_t mostBytes) {
  struct Kept {
    fs::file_time_type used;
    std::uint64_t size = 0;
    fs::path file;
  };
  std::vector<Kept> all;
  std::uint64_t total = 0;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code gone;
    struct stat status {};
    if (entry->is_regular_file(gone) && ::stat(entry->path().c_str(), &status) == 0) {
      // What of a sparse file is there.
      constexpr std::uint64_t kUnit = 512;
      all.push_back({entry->last_write_time(gone),
                     static_cast<std::uint64_t>(status.st_blocks) * kUnit,
                     entry->path()});
      total += all.back().size;
    }
  }
  std::ranges::sort(all, {}, &Kept::used);
  for (const Kept& oldest : all) {
    if (total <= mostBytes) {
      return;
    }
    std::error_code stays;
    fs::remove(oldest.file, stays);
    total -= std::min(total, oldest.size);
  }
}

}  // namespace ulp::remote
