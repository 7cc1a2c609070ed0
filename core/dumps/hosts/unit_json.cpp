#include "core/dumps/hosts/unit_json.h"

#include <bit>
#include <utility>

#include "core/base/list_of.h"
#include "core/dumps/msit/topology.h"
#include "core/json/dump.h"
#include "core/json/parse.h"

namespace ulp::dumps {
namespace {

using json::Array;
using json::Object;
using json::Value;

// Numbers go through as their bits: NaN, infinities and every digit stay what they are.
Value bitsOf(const std::optional<double>& number) {
  return number ? Value(std::bit_cast<std::int64_t>(*number)) : Value();
}
std::optional<double> numberOfBits(const Value& value) {
  return value.isInteger() ? std::optional(std::bit_cast<double>(value.integer())) : std::nullopt;
}

Value placeJson(std::size_t place) {
  return place == kNone ? Value() : Value(place);
}
std::size_t placeIn(const Value& value) {
  return value.isInteger() ? static_cast<std::size_t>(value.integer()) : kNone;
}

template <class Number>
Value optionalJson(const std::optional<Number>& number) {
  return number ? Value(*number) : Value();
}
std::optional<std::int64_t> integerIn(const Value& value) {
  return value.isInteger() ? std::optional(value.integer()) : std::nullopt;
}

Value shapeJson(const std::vector<std::int64_t>& shape) {
  return listOf(shape, [](std::int64_t size) { return Value(size); });
}
std::vector<std::int64_t> shapeIn(const Value& value) {
  return listOf(value.items(), [](const Value& size) { return size.integer(); });
}

Value sentenceJson(const Sentence& sentence) {  // NOLINT(misc-no-recursion)
  if (sentence.isLiteral) {
    return sentence.pattern;
  }
  return Object{{"pattern", sentence.pattern},
                {"arguments", listOf(sentence.arguments, sentenceJson)}};
}
Sentence sentenceIn(const Value& value) {  // NOLINT(misc-no-recursion): JSON is not nested deep
  return value.isObject() ? Sentence(value.at("pattern").text(),
                                     listOf(value.at("arguments").items(), sentenceIn))
                          : Sentence(value.text());
}

Value axesJson(const UnitAxes& axes) {
  return Object{{"run", axes.run},
                {"step", optionalJson(axes.step)},
                {"rank", optionalJson(axes.rank)},
                {"token", optionalJson(axes.token)}};
}
UnitAxes axesIn(const Value& value) {
  return {.run = value.at("run").text(),
          .step = integerIn(value.at("step")),
          .rank = integerIn(value.at("rank")),
          .token = integerIn(value.at("token"))};
}

Value placementJson(const Placement& placement) {
  return Object{{"axes",
                 listOf(placement.axes,
                        [](const Placement::Axis& axis) {
                          return Value(Array{static_cast<int>(axis.kind),
                                             axis.dim,
                                             axis.isInnermost,
                                             axis.size,
                                             axis.coordinate});
                        })},
                {"shape", shapeJson(placement.shape)}};
}
std::shared_ptr<const Placement> placementIn(const Value& value) {
  if (!value.isObject()) {
    return nullptr;
  }
  auto placement = std::make_shared<Placement>();
  placement->shape = shapeIn(value.at("shape"));
  constexpr std::size_t kParts = 5;
  for (const Value& each : value.at("axes").items()) {
    const Array& parts = each.items();
    if (parts.size() == kParts) {
      const std::int64_t kind = parts[0].integer();
      const bool isKnown = kind >= 0 && kind <= static_cast<int>(Placement::Kind::Unknown);
      placement->axes.push_back(
          {.kind = isKnown ? static_cast<Placement::Kind>(kind) : Placement::Kind::Unknown,
           .dim = parts[1].integer(),
           .isInnermost = parts[2].boolean(),
           .size = parts[3].integer(),
           .coordinate = parts[4].integer()});
    }
  }
  return placement;
}

Value rowJson(const DumpRow& row) {
  Object made{{"name", row.name},
              {"role", toString(row.role)},
              {"index", row.index},
              {"dtype", row.dtype},
              {"shape", shapeJson(row.shape)},
              {"elements", row.hasElements}};
  if (!row.statistics.isEmpty()) {
    Array numbers;
    for (const auto& number : row.statistics.all()) {
      numbers.push_back(bitsOf(number));
    }
    made["statistics"] = std::move(numbers);
  }
  const auto addText = [&made](const char* name, const std::string& text) {
    if (!text.empty()) {
      made[name] = text;
    }
  };
  addText("checksum", row.checksum);
  addText("value", row.value);
  addText("argument", row.argument);
  if (row.requiresGrad) {
    made["requires_grad"] = *row.requiresGrad;
  }
  if (row.placement) {
    made["placement"] = placementJson(*row.placement);
  }
  return made;
}
DumpRow rowIn(const Value& value) {
  DumpRow row{.name = value.at("name").text(),
              .role = parseRole(value.at("role").text()).value_or(Role::Value),
              .index = value.at("index").text(),
              .dtype = value.at("dtype").text(),
              .shape = shapeIn(value.at("shape")),
              .checksum = value.at("checksum").text(),
              .value = value.at("value").text(),
              .hasElements = value.at("elements").boolean(),
              .argument = value.at("argument").text(),
              .placement = placementIn(value.at("placement"))};
  if (const Array& numbers = value.at("statistics").items(); numbers.size() == 4) {
    row.statistics = {.max = numberOfBits(numbers[0]),
                      .min = numberOfBits(numbers[1]),
                      .mean = numberOfBits(numbers[2]),
                      .norm = numberOfBits(numbers[3])};
  }
  if (value.at("requires_grad").isBoolean()) {
    row.requiresGrad = value.at("requires_grad").boolean();
  }
  return row;
}

Value entryJson(const DumpEntry& entry) {
  return Object{
      {"name", entry.name},
      {"kind", static_cast<int>(entry.kind)},
      {"pass", toString(entry.pass)},
      {"module", entry.module},
      {"operation", entry.operation},
      {"call", entry.call},
      {"parent", placeJson(entry.parent)},
      {"stack", placeJson(entry.stack)},
      {"rows", entry.rowCount},
      {"empties", listOf(entry.empties, [](const EmptyArgument& empty) {
         return Value(Object{
             {"role", toString(empty.role)}, {"index", empty.index}, {"list", empty.isList}});
       })}};
}
Result<DumpEntry> entryIn(const Value& value) {
  const auto pass = parsePass(value.at("pass").text());
  const std::int64_t kind = value.at("kind").integer();
  if (!pass || kind < 0 || kind > static_cast<int>(EntryKind::Tensor)) {
    return fail(ErrorCode::CorruptData, "the host speaks of a call that this version cannot have");
  }
  return DumpEntry{.name = value.at("name").text(),
                   .kind = static_cast<EntryKind>(kind),
                   .pass = *pass,
                   .module = value.at("module").text(),
                   .operation = value.at("operation").text(),
                   .call = static_cast<std::uint64_t>(value.at("call").integer()),
                   .parent = placeIn(value.at("parent")),
                   .stack = placeIn(value.at("stack")),
                   .empties = listOf(value.at("empties").items(), [](const Value& empty) {
                     return EmptyArgument{
                         .role = parseRole(empty.at("role").text()).value_or(Role::Value),
                         .index = empty.at("index").text(),
                         .isList = empty.at("list").boolean()};
                   })};
}

Value structureJson(const msit::ModelStructure& structure) {
  const auto nodeJson = [](const msit::TopologyNode& node) {
    return Value(Object{{"name", node.name},
                        {"type", node.type},
                        {"folder", node.folder},
                        {"parent", placeJson(node.parent)},
                        {"children", node.children},
                        {"order", node.order},
                        {"bias", node.hasBias},
                        {"elewise", optionalJson(node.elewiseType)}});
  };
  return Object{{"atb", structure.isAtb},
                {"models", listOf(structure.models, [&](const msit::Topology& model) {
                   return Value(listOf(model.nodes, nodeJson));
                 })}};
}
Result<std::shared_ptr<const msit::ModelStructure>> structureIn(const Value& value) {
  auto structure = std::make_shared<msit::ModelStructure>();
  structure->isAtb = value.at("atb").boolean();
  for (const Value& model : value.at("models").items()) {
    msit::Topology topology;
    const std::size_t count = model.items().size();
    for (const Value& each : model.items()) {
      msit::TopologyNode node{.name = each.at("name").text(),
                              .type = each.at("type").text(),
                              .folder = each.at("folder").text(),
                              .parent = placeIn(each.at("parent")),
                              .children = listOf(each.at("children").items(), placeIn),
                              .order = static_cast<std::uint64_t>(each.at("order").integer()),
                              .hasBias = each.at("bias").boolean(),
                              .elewiseType = integerIn(each.at("elewise"))};
      bool isWhole = node.parent == kNone || node.parent < topology.nodes.size();
      for (const std::size_t child : node.children) {
        isWhole = isWhole && child > topology.nodes.size() && child < count;
      }
      if (!isWhole) {
        return fail(ErrorCode::CorruptData, "the host's model structure refers to nothing");
      }
      topology.nodes.push_back(std::move(node));
    }
    structure->models.push_back(std::move(topology));
  }
  return std::shared_ptr<const msit::ModelStructure>(std::move(structure));
}

}  // namespace

std::string unitText(const DumpUnit& unit) {
  Object all{
      {"entries", listOf(unit.entries, entryJson)},
      {"rows", listOf(unit.rows, rowJson)},
      {"stacks",
       listOf(unit.stacks, [](const std::vector<std::string>& stack) { return Value(stack); })},
      {"notes", listOf(unit.notes, sentenceJson)}};
  if (unit.structure) {
    all["structure"] = structureJson(*unit.structure);
  }
  return json::dump(Value(std::move(all)));
}

Result<> readUnitText(std::string_view text, DumpUnit& unit) {
  const Value all = ULP_TRY(json::parseObject(text));
  const auto broken = [] {
    return fail(ErrorCode::CorruptData, "what the host says of a unit does not fit together");
  };
  const Array& rows = all.at("rows").items();
  for (const Value& each : all.at("stacks").items()) {
    unit.stacks.push_back(listOf(each.items(), [](const Value& line) { return line.text(); }));
  }
  std::size_t next = 0;
  const std::size_t entries = all.at("entries").items().size();
  for (const Value& each : all.at("entries").items()) {
    DumpEntry entry = ULP_TRY(entryIn(each));
    const bool isWhole = (entry.parent == kNone || entry.parent < entries) &&
                         (entry.stack == kNone || entry.stack < unit.stacks.size());
    const auto count = static_cast<std::uint64_t>(each.at("rows").integer());
    if (!isWhole || count > rows.size() - next) {
      return broken();
    }
    unit.addEntry(std::move(entry));
    for (std::uint64_t i = 0; i < count; ++i) {
      unit.addRow(rowIn(rows[next++]));
    }
  }
  if (next != rows.size()) {
    return broken();
  }
  unit.notes = listOf(all.at("notes").items(), sentenceIn);
  if (all.at("structure").isObject()) {
    unit.structure = ULP_TRY(structureIn(all.at("structure")));
  }
  return {};
}

Value dumpJson(const Dump& dump) {
  return Object{
      {"importer", dump.importer},
      {"format", dump.format},
      {"checksum_kind", dump.checksumKind},
      {"sharded_by_data", dump.isShardedByData},
      {"units",
       listOf(dump.units,
              [](const UnitInfo& unit) {
                return Value(Object{{"axes", axesJson(unit.axes)}, {"path", unit.path.string()}});
              })},
      {"notes", listOf(dump.notes, sentenceJson)}};
}

Dump dumpIn(const Value& value) {
  Dump dump{.importer = value.at("importer").text(),
            .format = value.at("format").text(),
            .checksumKind = value.at("checksum_kind").text(),
            .isShardedByData = value.at("sharded_by_data").boolean(),
            .notes = listOf(value.at("notes").items(), sentenceIn)};
  for (const Value& unit : value.at("units").items()) {
    dump.units.push_back({.axes = axesIn(unit.at("axes")), .path = unit.at("path").text()});
  }
  return dump;
}

}  // namespace ulp::dumps
