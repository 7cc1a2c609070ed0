#include "core/comparing/ranks/model_chunks.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/dumps/model/tensor_recipe.h"

namespace ulp::analysis {
namespace {

using dumps::DerivedUnit;
using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnitPtr;
using dumps::EntryKind;

/// What begins with the number of a chunk: the module, or the name of a tensor without one.
std::string_view chunkPathOf(const DumpEntry& entry) {
  return entry.module.empty() && entry.kind == EntryKind::Tensor ? std::string_view(entry.name)
                                                                 : std::string_view(entry.module);
}

std::optional<std::size_t> chunkIn(std::string_view path, std::size_t count) {
  std::size_t number = 0;
  const char* const end = path.data() + path.size();
  const auto [last, error] = std::from_chars(path.data(), end, number);
  const bool isNumber = error == std::errc() && last != end && *last == '.';
  return isNumber && number < count ? std::optional(number) : std::nullopt;
}

/// `name` with the number of the chunk taken for that of the first, where `path` stands in it.
std::string asFirst(const std::string& name, std::string_view path) {
  const std::size_t place = name.find(path);
  if (place == std::string::npos) {
    return name;
  }
  const std::string_view all = name;
  return fmt::format("{}0{}", all.substr(0, place), all.substr(place + path.find('.')));
}

class Splitter {
 public:
  Splitter(const DumpUnitPtr& unit, std::size_t count)
      : m_unit(unit), m_stacks(count), m_calls(count) {
    for (std::size_t chunk = 0; chunk < count; ++chunk) {
      m_chunks.push_back(std::make_shared<DerivedUnit>(unit->axes));
    }
    m_chunks.front()->notes = unit->notes;
  }

  [[nodiscard]] std::vector<DumpUnitPtr> split() && {
    findChunks();
    for (std::size_t i = 0; i < m_chunkOf.size(); ++i) {
      add(i, m_chunkOf[i]);
    }
    for (std::size_t i = 0; i < m_chunkOf.size(); ++i) {
      const std::size_t parent = m_unit->entries[i].parent;
      const bool isInside = parent != dumps::kNone && m_chunkOf[parent] == m_chunkOf[i];
      m_chunks[m_chunkOf[i]]->entries[m_places[i]].parent =
          isInside ? m_places[parent] : dumps::kNone;
    }
    return {m_chunks.begin(), m_chunks.end()};
  }

 private:
  void findChunks() {
    std::vector<std::optional<std::size_t>> said;
    for (const DumpEntry& entry : m_unit->entries) {
      said.push_back(chunkIn(chunkPathOf(entry), m_chunks.size()));
    }
    const auto first =
        std::find_if(said.begin(), said.end(), [](const auto& chunk) { return chunk.has_value(); });
    std::size_t last = first == said.end() ? 0 : **first;
    for (const auto& chunk : said) {
      last = chunk.value_or(last);
      m_chunkOf.push_back(last);
    }
    if (first == said.end()) {
      m_chunks.front()->notes.push_back(
          fmt::format("{}: no module says its chunk; in a list of models, paths begin with its "
                      "number, as in 1.module.decoder",
                      describe(m_unit->axes)));
    }
  }

  void add(std::size_t index, std::size_t chunk) {
    const DumpEntry& from = m_unit->entries[index];
    DumpEntry entry = from;
    entry.name = renamed(from, from.name, chunk);
    entry.module =
        chunkIn(from.module, m_chunks.size()) ? asFirst(from.module, from.module) : from.module;
    entry.call = from.kind == EntryKind::Api ? callIn(chunk, from) : from.call;
    entry.stack = from.stack == dumps::kNone ? dumps::kNone : stackIn(chunk, from.stack);
    m_places.push_back(m_chunks[chunk]->addEntry(std::move(entry)));
    for (std::size_t r = from.firstRow; r < from.firstRow + from.rowCount; ++r) {
      DumpRow row = m_unit->rows[r];
      row.name = renamed(from, row.name, chunk);
      m_chunks[chunk]->addRow(std::move(row), dumps::rowRecipe(m_unit, r));
    }
  }

  [[nodiscard]] std::string renamed(const DumpEntry& entry,
                                    const std::string& name,
                                    std::size_t chunk) {
    if (entry.kind != EntryKind::Api) {
      const std::string_view path = chunkPathOf(entry);
      return chunkIn(path, m_chunks.size()) ? asFirst(name, path) : name;
    }
    const std::string prefix = fmt::format("{}.{}.", entry.operation, entry.call);
    return name.starts_with(prefix)
               ? fmt::format(
                     "{}.{}.{}", entry.operation, callIn(chunk, entry), name.substr(prefix.size()))
               : name;
  }

  /// Calls of a function in a chunk, in their order; backward they have the number of the forward
  /// call.
  [[nodiscard]] std::uint64_t callIn(std::size_t chunk, const DumpEntry& entry) {
    Calls& calls = m_calls[chunk][entry.operation];
    const auto [known, isNew] = calls.numbers.try_emplace(entry.call, calls.count);
    calls.count += isNew ? 1 : 0;
    return known->second;
  }

  [[nodiscard]] std::size_t stackIn(std::size_t chunk, std::size_t stack) {
    const auto [known, isNew] = m_stacks[chunk].try_emplace(stack, m_chunks[chunk]->stacks.size());
    if (isNew) {
      m_chunks[chunk]->stacks.push_back(m_unit->stacks[stack]);
    }
    return known->second;
  }

  struct Calls {
    std::map<std::uint64_t, std::uint64_t> numbers;
    std::uint64_t count = 0;
  };

  DumpUnitPtr m_unit;
  std::vector<std::shared_ptr<DerivedUnit>> m_chunks;
  std::vector<std::size_t> m_chunkOf;  ///< of each entry
  std::vector<std::size_t> m_places;   ///< of each entry, in its chunk
  std::vector<std::unordered_map<std::size_t, std::size_t>> m_stacks;
  std::vector<std::unordered_map<std::string, Calls>> m_calls;
};

}  // namespace

std::vector<DumpUnitPtr> chunksOf(const DumpUnitPtr& unit, std::size_t count) {
  return count < 2 ? std::vector<DumpUnitPtr>{unit} : Splitter(unit, count).split();
}

}  // namespace ulp::analysis
