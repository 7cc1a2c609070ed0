#include "core/dumps/msprobe/dump_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/files/mapped_file.h"
#include "core/base/text/numbers_by_name.h"
#include "core/dumps/msprobe/entry_name.h"
#include "core/dumps/msprobe/json_tree.h"

namespace ulp::dumps::msprobe {
namespace {

class Reading {
 public:
  explicit Reading(const std::filesystem::path& path) { m_dump.path = path; }

  /// Makes room for the records of a file of this size: to move them costs as much as to read them.
  void expect(const std::filesystem::path& file) {
    constexpr std::uintmax_t kBytesOfRecord = 192;
    constexpr std::uintmax_t kMostRecords = 1U << 22U;
    std::error_code status;
    const std::uintmax_t bytes = std::filesystem::file_size(file, status);
    m_dump.records.reserve(status ? 0 : std::min(bytes / kBytesOfRecord, kMostRecords));
  }

  void member(bool isInside, std::string_view key, const JsonTree& value) {
    if (isInside) {
      entry(key, value);
    } else if (value.root().kind == JsonKind::Text) {
      for (const auto& [name, text] : {std::pair("task", &m_dump.task),
                                       std::pair("level", &m_dump.level),
                                       std::pair("framework", &m_dump.framework)}) {
        if (key == name) {
          *text = value.root().text;
        }
      }
    }
  }

  [[nodiscard]] DumpJson& dump() { return m_dump; }

  Result<DumpJson> finish(const JsonEnd& end) {
    if (!end.problem.empty() && m_dump.entries.empty()) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: {}; nothing before it is complete, dump this step again",
                              m_dump.path.string(),
                              end.problem));
    }
    if (end.problem.empty() && m_dump.task.empty() && m_dump.level.empty()) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: has neither a task nor a level: this is no dump of msprobe; "
                              "dump this step again",
                              m_dump.path.string()));
    }
    if (!end.problem.empty()) {
      const std::string open =
          end.openMember.empty() ? std::string() : fmt::format(", within '{}'", end.openMember);
      m_dump.notes.push_back(
          fmt::format("{}: {}{}; only the {} entries before it are used, the dump was cut short",
                      m_dump.path.string(),
                      end.problem,
                      open,
                      m_dump.entries.size()));
    }
    for (std::string& note : m_notes) {
      m_dump.notes.push_back(fmt::format("{}: {}", m_dump.path.string(), note));
    }
    dropReplaced();
    return std::move(m_dump);
  }

 private:
  void entry(std::string_view name, const JsonTree& value) {
    EntryRecords added{.name = std::string(name), .first = m_dump.records.size()};
    added.empties = appendRecords(m_dump.records, name, value, m_notes);
    added.count = m_dump.records.size() - added.first;
    for (std::size_t row = added.first; row < m_dump.records.size(); ++row) {
      m_dump.hasChecksums |= m_dump.records[row].hasChecksum;
    }
    if (isGradientName(name)) {
      (hasGradientNumber(name) ? m_dump.hasNumberedGradients : m_dump.hasBareGradients) = true;
    }
    const auto [known, isNew] = m_places.insert(name, m_dump.entries.size());
    if (isNew) {
      m_dump.entries.push_back(std::move(added));
    } else {
      m_dump.entries[known] = std::move(added);
      m_isReplaced = true;
      m_notes.push_back(fmt::format("'{}' stands there twice; the last one counts", name));
    }
  }

  /// Brings records into the order of entries after one was written twice.
  void dropReplaced() {
    if (!m_isReplaced) {
      return;
    }
    std::vector<Record> kept;
    for (EntryRecords& entry : m_dump.entries) {
      const std::size_t first = kept.size();
      for (std::size_t row = entry.first; row < entry.first + entry.count; ++row) {
        kept.push_back(std::move(m_dump.records[row]));
      }
      entry.first = first;
    }
    m_dump.records = std::move(kept);
  }

  DumpJson m_dump;
  std::vector<std::string> m_notes;
  NumbersByName m_places;
  bool m_isReplaced = false;
};

/// What recognising a file may read of it.
constexpr std::size_t kStartBytes = std::size_t{1} << 18;

/// A file that goes on behind its first part has no problem there.
Result<JsonEnd> readStart(const std::filesystem::path& path, const OnMember& onMember) {
  auto mapped = ULP_TRY(MappedFile::open(path));
  const std::span<const std::byte> bytes = mapped->bytes();
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               std::min(bytes.size(), kStartBytes));
  JsonEnd end = streamMembers(start, "data", onMember);
  if (end.isCut && start.size() < bytes.size()) {
    end = {.openMember = std::move(end.openMember), .memberCount = end.memberCount};
  }
  return end;
}

std::vector<std::string> textsOf(const JsonTree& tree, const JsonNode& list) {
  std::vector<std::string> texts;
  if (list.kind != JsonKind::List) {
    texts.push_back(printed(tree, list));  // a sentence says why there is no stack
    return texts;
  }
  texts.reserve(list.childCount);
  for (std::uint32_t child = list.firstChild; child != kNoNode; child = tree[child].next) {
    texts.push_back(printed(tree, tree[child]));
  }
  return texts;
}

/// [[entries], [frames]]
bool isShared(const JsonTree& tree, const JsonNode& value) {
  return value.kind == JsonKind::List && value.childCount == 2 &&
         tree[value.firstChild].kind == JsonKind::List;
}

void addNote(std::vector<std::string>& notes,
             const std::filesystem::path& path,
             const JsonEnd& end) {
  if (!end.problem.empty()) {
    notes.push_back(
        fmt::format("{}: {}; only what stands before it is used, the dump was cut short",
                    path.string(),
                    end.problem));
  }
}

}  // namespace

Result<DumpJson> readDumpJson(const std::filesystem::path& path,
                              const std::stop_token& stop,
                              const ReadProgress& progress) {
  Reading reading(path);
  reading.expect(path);
  auto end = ULP_TRY(streamMembers(
      path,
      "data",
      [&](bool isInside, std::string_view key, const JsonTree& value) {
        reading.member(isInside, key, value);
      },
      stop,
      progress));
  return reading.finish(end);
}

Result<DumpJson> parseDumpJson(std::string_view bytes, const std::filesystem::path& path) {
  Reading reading(path);
  return reading.finish(
      streamMembers(bytes, "data", [&](bool isInside, std::string_view key, const JsonTree& value) {
        reading.member(isInside, key, value);
      }));
}

std::optional<DumpHead> readDumpHead(const std::filesystem::path& path) {
  Reading reading(path);
  bool hasFolder = false;
  const auto end = readStart(path, [&](bool isInside, std::string_view key, const JsonTree& value) {
    hasFolder |= !isInside && key == "dump_data_dir";
    reading.member(isInside, key, value);
  });
  DumpJson& dump = reading.dump();
  if (!end || dump.task.empty() || (dump.level.empty() && !hasFolder)) {
    return std::nullopt;
  }
  DumpHead head{.task = dump.task,
                .level = dump.level,
                .checksum = {},
                .holdsEntries = !dump.entries.empty(),
                .hasNumberedGradients = dump.hasNumberedGradients,
                .hasBareGradients = dump.hasBareGradients};
  for (const Record& record : dump.records) {
    if (record.isTensor && record.hasChecksum && !record.isChecksumMade) {
      head.checksum = record.checksum;
      break;
    }
  }
  return head;
}

bool isStartBroken(const std::filesystem::path& path) {
  const auto end = readStart(
      path, [](bool /*isInside*/, std::string_view /*key*/, const JsonTree& /*value*/) {});
  return !end || !end->problem.empty();
}

Result<CallStacks> readCallStacks(const std::filesystem::path& path, const std::stop_token& stop) {
  CallStacks stacks;
  auto end = ULP_TRY(streamMembers(
      path,
      {},
      [&](bool /*isInside*/, std::string_view key, const JsonTree& tree) {
        const JsonNode& value = tree.root();
        const std::size_t place = stacks.stacks.size();
        if (isShared(tree, value)) {
          for (const std::string& entry : textsOf(tree, tree[value.firstChild])) {
            stacks.byEntry.insert(entry, place).first = place;
          }
          stacks.stacks.push_back(textsOf(tree, tree[value.lastChild]));
        } else if (value.kind != JsonKind::Null) {
          stacks.byEntry.insert(key, place).first = place;
          stacks.stacks.push_back(textsOf(tree, value));
        }
      },
      stop));
  addNote(stacks.notes, path, end);
  return stacks;
}

Result<Construct> readConstruct(const std::filesystem::path& path, const std::stop_token& stop) {
  Construct construct;
  auto end = ULP_TRY(streamMembers(
      path,
      {},
      [&](bool /*isInside*/, std::string_view key, const JsonTree& tree) {
        const JsonNode* value = &tree.root();
        if (value->kind == JsonKind::List && value->firstChild != kNoNode) {
          value = &tree[value->firstChild];  // [parent, micro step], with Megatron
        }
        if (value->kind == JsonKind::Text || value->kind == JsonKind::Null) {
          const auto [place, isNew] = construct.places.insert(key, construct.calls.size());
          if (isNew) {
            construct.calls.push_back({std::string(key), std::string(value->text)});
          } else {
            construct.calls[place].parent = value->text;
          }
        }
      },
      stop));
  addNote(construct.notes, path, end);
  return construct;
}

}  // namespace ulp::dumps::msprobe
