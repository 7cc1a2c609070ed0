#include "core/dumps/hosts/unit_json.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/base/list_of.h"
#include "core/dumps/msit/topology.h"
#include "core/json/dump.h"
#include "core/json/parse.h"

namespace ulp::dumps {
namespace {

using json::Array;
using json::Value;

template <class T, class Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

// What goes through of each structure, in both directions. Where one has got another field, its
// line of names does not compile any more.

auto fieldsOf(Is<UnitAxes> auto& axes) {
  auto& [run, step, rank, token] = axes;
  return std::tie(run, step, rank, token);
}

auto fieldsOf(Is<Statistics> auto& statistics) {
  auto& [max, min, mean, norm] = statistics;
  return std::tie(max, min, mean, norm);
}

auto fieldsOf(Is<Placement::Axis> auto& axis) {
  auto& [kind, dim, isInnermost, size, coordinate] = axis;
  return std::tie(kind, dim, isInnermost, size, coordinate);
}

auto fieldsOf(Is<Placement> auto& placement) {
  auto& [axes, shape] = placement;
  return std::tie(axes, shape);
}

/// Without `replicas`, which units have that were merged here.
auto fieldsOf(Is<DumpRow> auto& row) {
  auto& [name, role, index, dtype, shape, stats, sum, value, isHeld, replicas, grad, more, placed] =
      row;
  return std::tie(name, role, index, dtype, shape, stats, sum, value, isHeld, grad, more, placed);
}

auto fieldsOf(Is<EmptyArgument> auto& empty) {
  auto& [role, index, isList] = empty;
  return std::tie(role, index, isList);
}

/// Without `firstRow`, which follows from the entries before.
auto fieldsOf(Is<DumpEntry> auto& entry) {
  auto& [name, kind, pass, module, operation, call, parent, stack, firstRow, rows, empties] = entry;
  return std::tie(name, kind, pass, module, operation, call, parent, stack, rows, empties);
}

auto fieldsOf(Is<msit::TopologyNode> auto& node) {
  auto& [name, type, folder, parent, children, order, hasBias, elewiseType] = node;
  return std::tie(name, type, folder, parent, children, order, hasBias, elewiseType);
}

auto fieldsOf(Is<msit::Topology> auto& topology) {
  auto& [nodes] = topology;
  return std::tie(nodes);
}

auto fieldsOf(Is<msit::ModelStructure> auto& structure) {
  auto& [models, isAtb] = structure;
  return std::tie(models, isAtb);
}

/// Without its axes, which the dump tells.
auto fieldsOf(Is<DumpUnit> auto& unit) {
  return std::tie(unit.entries, unit.rows, unit.stacks, unit.notes, unit.structure);
}

/// Without `open`: each side has its own way.
auto fieldsOf(Is<UnitInfo> auto& unit) {
  auto& [axes, path, open] = unit;
  return std::tie(axes, path);
}

/// Without `path`, which is another one here.
auto fieldsOf(Is<Dump> auto& dump) {
  auto& [importer, format, path, checksumKind, shares, divisor, groups, units, notes] = dump;
  return std::tie(importer, format, checksumKind, shares, divisor, groups, units, notes);
}

template <class Enum>
constexpr Enum kLast = Enum::Unknown;
template <>
constexpr EntryKind kLast<EntryKind> = EntryKind::Tensor;
template <>
constexpr RankShares kLast<RankShares> = RankShares::Tensor;

/// Structures become lists of their fields.
struct ToJson {
  static Value of(const std::string& text) { return text; }
  static Value of(const std::filesystem::path& path) { return path.string(); }
  static Value of(Role role) { return toString(role); }
  static Value of(Pass pass) { return toString(pass); }
  /// Its bits: NaN, infinities and every digit stay what they are.
  static Value of(double number) { return std::bit_cast<std::int64_t>(number); }
  static Value of(const Sentence& sentence) {
    return sentence.isLiteral ? Value(sentence.pattern)
                              : Array{sentence.pattern, of(sentence.arguments)};
  }

  template <class T>
  static Value of(const std::optional<T>& held) {
    return held ? of(*held) : Value();
  }
  template <class T>
  static Value of(const std::shared_ptr<T>& held) {
    return held ? of(*held) : Value();
  }
  template <class T>
  static Value of(const std::vector<T>& list) {
    return listOf(list, [](const T& each) { return of(each); });
  }
  template <class T>
  static Value of(const T& other) {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<int>(other);
    } else if constexpr (std::is_arithmetic_v<T>) {
      return other;
    } else {
      return std::apply([](const auto&... fields) { return Array{of(fields)...}; },
                        fieldsOf(other));
    }
  }
};

/// Back again. False: another version wrote it.
struct FromJson {
  static bool into(std::string& text, const Value& value) {
    text = value.text();
    return value.isText();
  }
  static bool into(std::filesystem::path& path, const Value& value) {
    path = value.text();
    return value.isText();
  }
  static bool into(Role& role, const Value& value) { return take(role, parseRole(value.text())); }
  static bool into(Pass& pass, const Value& value) { return take(pass, parsePass(value.text())); }
  static bool into(double& number, const Value& value) {
    number = std::bit_cast<double>(value.integer());
    return value.isInteger();
  }
  static bool into(Sentence& sentence, const Value& value) {
    const Array& parts = value.items();
    if (parts.size() != 2) {
      sentence = value.text();
      return value.isText();
    }
    sentence = Sentence(parts[0].text(), {});
    return into(sentence.arguments, parts[1]);
  }

  template <class T>
  static bool into(std::optional<T>& held, const Value& value) {
    return value.isNull() || into(held.emplace(), value);
  }
  template <class T>
  static bool into(std::shared_ptr<const T>& held, const Value& value) {
    const auto made = std::make_shared<T>();
    held = value.isNull() ? nullptr : made;
    return value.isNull() || into(*made, value);
  }
  template <class T>
  static bool into(std::vector<T>& list, const Value& value) {
    list.reserve(value.items().size());
    return value.isArray() && std::ranges::all_of(value.items(), [&](const Value& each) {
             return into(list.emplace_back(), each);
           });
  }
  template <class T>
  static bool into(T& other, const Value& value) {
    if constexpr (std::is_enum_v<T>) {
      other = static_cast<T>(value.integer());
      return value.integer() >= 0 && value.integer() <= static_cast<int>(kLast<T>);
    } else if constexpr (std::same_as<T, bool>) {
      other = value.boolean();
      return value.isBoolean();
    } else if constexpr (std::is_arithmetic_v<T>) {
      other = static_cast<T>(value.integer());
      return value.isInteger();
    } else {
      const Array& parts = value.items();
      auto part = parts.begin();
      return std::apply(
          [&](auto&... fields) {
            return parts.size() == sizeof...(fields) && (into(fields, *part++) && ...);
          },
          fieldsOf(other));
    }
  }

 private:
  template <class T>
  static bool take(T& word, std::optional<T> known) {
    word = known.value_or(word);
    return known.has_value();
  }
};

/// Parents stand before their children.
bool isWhole(const msit::Topology& model) {
  const std::size_t count = model.nodes.size();
  for (std::size_t i = 0; i < count; ++i) {
    const msit::TopologyNode& node = model.nodes[i];
    if ((node.parent != kNone && node.parent >= i) ||
        !std::ranges::all_of(node.children,
                             [&](std::size_t child) { return child > i && child < count; })) {
      return false;
    }
  }
  return true;
}

/// Gives entries their first rows. False: they refer to what is not there.
bool settleEntries(DumpUnit& unit) {
  std::size_t next = 0;
  for (DumpEntry& entry : unit.entries) {
    if ((entry.parent != kNone && entry.parent >= unit.entries.size()) ||
        (entry.stack != kNone && entry.stack >= unit.stacks.size()) ||
        entry.rowCount > unit.rows.size() - next) {
      return false;
    }
    entry.firstRow = std::exchange(next, next + entry.rowCount);
  }
  return next == unit.rows.size();
}

tl::unexpected<Error> otherVersion() {
  return fail(ErrorCode::CorruptData, "the host speaks of a dump that this version cannot have");
}

}  // namespace

std::string unitText(const DumpUnit& unit) {
  return json::dump(ToJson::of(unit));
}

Result<> readUnitText(std::string_view text, DumpUnit& unit) {
  const Value all = ULP_TRY(json::parse(text));
  if (!FromJson::into(unit, all)) {
    return otherVersion();
  }
  if (!settleEntries(unit) ||
      (unit.structure && !std::ranges::all_of(unit.structure->models, isWhole))) {
    return fail(ErrorCode::CorruptData, "what the host says of a unit does not fit together");
  }
  return {};
}

Value dumpJson(const Dump& dump) {
  return ToJson::of(dump);
}

Result<Dump> dumpIn(const Value& value) {
  Dump dump;
  return FromJson::into(dump, value) ? Result<Dump>(std::move(dump)) : otherVersion();
}

}  // namespace ulp::dumps
