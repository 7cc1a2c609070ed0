#include "core/study/schema/value_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/edit_distance.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/regular_expression.h"
#include "core/numerics/rounding/number_format.h"
#include "core/study/schema/device_names.h"
#include "core/study/schema/loss_values.h"
#include "core/study/schema/precision_rules.h"

namespace ulp::study {
namespace {

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::Null:
      return "nothing";
    case YamlNode::Kind::Scalar:
      return fmt::format("'{}'", node.text);
    case YamlNode::Kind::List:
      return "a list";
    case YamlNode::Kind::Map:
      return "a map";
  }
  return "nothing";
}

CheckedText expected(const Key& key, const YamlNode& node, std::string_view what) {
  return problemOf(key, node, "'{}' must be {}, not {}", what, describe(node));
}

bool isChoice(const Key& key, std::string_view text) {
  return std::ranges::find(key.choices, text) != key.choices.end();
}

CheckedText inRange(const Key& key, const YamlNode& node, double value, std::string text) {
  if (key.minimum && value < *key.minimum) {
    return expected(key, node, fmt::format("at least {}", *key.minimum));
  }
  if (key.maximum && value > *key.maximum) {
    return expected(key, node, fmt::format("at most {}", *key.maximum));
  }
  return text;
}

CheckedText checkInteger(const Key& key, const YamlNode& node) {
  const auto value = parseNumber<std::int64_t>(node.text);
  if (!value || node.quoted) {
    return expected(key, node, "a whole number");
  }
  // Beyond 2^53 a double no longer tells a number from the next one.
  if (key.maximum && *value > static_cast<std::int64_t>(*key.maximum)) {
    return expected(key, node, fmt::format("at most {}", *key.maximum));
  }
  return inRange(key, node, static_cast<double>(*value), std::to_string(*value));
}

CheckedText checkNumber(const Key& key, const YamlNode& node) {
  if (isChoice(key, node.text)) {
    return node.text;
  }
  const auto value = parseNumber<double>(node.text);
  if (!value || node.quoted || !std::isfinite(*value)) {
    return expected(key,
                    node,
                    key.choices.empty()
                        ? "a number"
                        : fmt::format("{} or a number", fmt::join(key.choices, ", ")));
  }
  return inRange(key, node, *value, node.text);
}

CheckedText checkBoolean(const Key& key, const YamlNode& node) {
  const std::optional<bool> value = parseYamlBoolean(node.text);
  return value ? CheckedText(*value ? "true" : "false") : expected(key, node, "true or false");
}

CheckedText checkChoice(const Key& key, const YamlNode& node) {
  return isChoice(key, node.text)
             ? CheckedText(node.text)
             : expected(key, node, fmt::format("one of {}", fmt::join(key.choices, ", ")));
}

/// A word that is nearly a choice is a slip.
CheckedText checkName(const Key& key, const YamlNode& node) {
  constexpr std::size_t kSlip = 2;
  const bool isMeant = std::ranges::none_of(key.choices, [&node](std::string_view choice) {
    return editDistance(choice, node.text, kSlip) <= kSlip;
  });
  const bool isWord = !node.text.empty() && node.text.find_first_of(" \t\n,") == std::string::npos;
  return isWord && (isMeant || isChoice(key, node.text))
             ? CheckedText(node.text)
             : expected(key,
                        node,
                        fmt::format("one of {}, or another name", fmt::join(key.choices, ", ")));
}

CheckedText checkDType(const Key& key, const YamlNode& node) {
  const auto format = numerics::parseNumberFormat(node.text);
  const std::string name(format ? toString(*format) : node.text);
  return isChoice(key, name) ? CheckedText(name) : checkChoice(key, node);
}

/// Several devices are a list, or stand between commas; kept with commas alone.
CheckedText checkDevice(const Key& key, const YamlNode& node) {
  std::vector<std::string_view> texts;
  for (const YamlNode& item : node.items) {
    texts.emplace_back(item.text);
  }
  const bool isList = node.kind == YamlNode::Kind::List;
  const auto names =
      deviceNames(isList ? fmt::format("{}", fmt::join(texts, ",")) : std::string(node.text));
  return names ? CheckedText(fmt::format("{}", fmt::join(*names, ",")))
               : expected(key, node, names.error().message());
}

CheckedText checkPatterns(const Key& key, const YamlNode& node) {
  if (node.kind != YamlNode::Kind::List) {
    return expected(key, node, "a list of regular expressions");
  }
  for (const YamlNode& item : node.items) {
    if (item.kind != YamlNode::Kind::Scalar) {
      return expected(key, item, "a list of regular expressions");
    }
    const auto compiled = RegularExpression::compile(item.text);
    if (!compiled) {
      return problemOf(key,
                       item,
                       "'{}': '{}' is not a regular expression: {}",
                       item.text,
                       compiled.error().message());
    }
  }
  YamlNode texts = node;
  for (YamlNode& item : texts.items) {
    item.quoted = true;
  }
  return toJsonText(texts);
}

CheckedText checkNames(const Key& key, const YamlNode& node) {
  const std::string what = fmt::format("a list of some of {}", fmt::join(key.choices, ", "));
  if (node.kind != YamlNode::Kind::List) {
    return expected(key, node, what);
  }
  std::vector<std::string> seen;
  for (const YamlNode& item : node.items) {
    if (item.kind != YamlNode::Kind::Scalar || !isChoice(key, item.text)) {
      return expected(key, item, what);
    }
    if (std::ranges::find(seen, item.text) != seen.end()) {
      return problemOf(key, item, "'{}': '{}' stands there twice", item.text);
    }
    seen.push_back(item.text);
  }
  return toJsonText(node);
}

CheckedText checkObject(const Key& key, const YamlNode& node) {
  if (node.kind != YamlNode::Kind::Map) {
    return expected(key, node, "a map");
  }
  return toJsonText(node);
}

CheckedText checkText(const Key& key, const YamlNode& node) {
  if (node.text.empty()) {
    return problemOf(key, node, "'{}' is empty");
  }
  return node.text;
}

/// Keeps a list as it is written, once it could be read.
template <auto read>
CheckedText checkByReading(const Key& key, const YamlNode& node) {
  ULP_TRY(read(key, node));
  return toJsonText(node);
}

CheckedText checkLossTerms(const Key& key, const YamlNode& node) {
  ULP_TRY(readLossTerms(key, node, {}));
  return toJsonText(node);
}

/// What is known of a type of values.
struct TypeRow {
  std::string_view name;
  bool isStructured;
  CheckedText (*check)(const Key& key, const YamlNode& node);
};

/// In the order of ValueType.
constexpr std::array<TypeRow, 16> kTypes{{
    {"text", false, checkText},
    {"path", false, checkText},
    {"integer", false, checkInteger},
    {"number", false, checkNumber},
    {"boolean", false, checkBoolean},
    {"dtype", false, checkDType},
    {"choice", false, checkChoice},
    {"name", false, checkName},
    {"device", false, checkDevice},
    {"patterns", true, checkPatterns},
    {"names", true, checkNames},
    {"object", true, checkObject},
    {"rules", true, checkRules},
    {"documents", true, checkByReading<readDocuments>},
    {"ranges", true, checkByReading<readRanges>},
    {"terms", true, checkLossTerms},
}};

const TypeRow& rowOf(ValueType type) {
  return kTypes.at(static_cast<std::size_t>(type));
}

}  // namespace

std::string_view toString(ValueType type) {
  return rowOf(type).name;
}

bool isStructuredType(ValueType type) {
  return rowOf(type).isStructured;
}

CheckedText checkValue(const Key& key, const YamlNode& node) {
  const TypeRow& type = rowOf(key.type);
  if (node.kind == YamlNode::Kind::Null) {
    return type.isStructured ? CheckedText(std::string(key.defaultText))
                             : problemOf(key, node, "'{}' has no value");
  }
  const bool isListOfDevices =
      key.type == ValueType::DeviceName && node.kind == YamlNode::Kind::List;
  if (!type.isStructured && node.kind != YamlNode::Kind::Scalar && !isListOfDevices) {
    return expected(key, node, "a single value");
  }
  return type.check(key, node);
}

}  // namespace ulp::study
