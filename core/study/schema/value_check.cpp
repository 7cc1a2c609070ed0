#include "core/study/schema/value_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <regex>

#include "core/base/text/regular_expression.h"
#include "core/numerics/rounding/number_format.h"
#include "core/study/schema/loss_values.h"
#include "core/study/schema/precision_rules.h"
#include "core/study/yaml/number_text.h"

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
  return problemAt(node.position,
                   fmt::format("'{}' must be {}, not {}", key.path, what, describe(node)));
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
  const auto value = numberIn<std::int64_t>(node.text);
  if (!value || node.quoted) {
    return expected(key, node, "a whole number");
  }
  return inRange(key, node, static_cast<double>(*value), std::to_string(*value));
}

CheckedText checkNumber(const Key& key, const YamlNode& node) {
  if (std::find(key.choices.begin(), key.choices.end(), node.text) != key.choices.end()) {
    return node.text;
  }
  const auto value = numberIn<double>(node.text);
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
  if (node.text == "true" || node.text == "True" || node.text == "TRUE") {
    return "true";
  }
  if (node.text == "false" || node.text == "False" || node.text == "FALSE") {
    return "false";
  }
  return expected(key, node, "true or false");
}

CheckedText checkDType(const Key& key, const YamlNode& node) {
  const auto format = numerics::parseNumberFormat(node.text);
  if (!format ||
      std::find(key.choices.begin(), key.choices.end(), toString(*format)) == key.choices.end()) {
    return expected(key, node, fmt::format("one of {}", fmt::join(key.choices, ", ")));
  }
  return std::string(toString(*format));
}

CheckedText checkChoice(const Key& key, const YamlNode& node) {
  if (std::find(key.choices.begin(), key.choices.end(), node.text) != key.choices.end()) {
    return node.text;
  }
  return expected(key, node, fmt::format("one of {}", fmt::join(key.choices, ", ")));
}

CheckedText checkDevice(const Key& key, const YamlNode& node) {
  static const std::regex kDevice("auto|cpu|cuda(:[0-9]{1,3})?");
  if (!std::regex_match(node.text, kDevice)) {
    return expected(key, node, "auto, cpu, cuda or cuda:N");
  }
  return node.text;
}

CheckedText checkPatterns(const Key& key, const YamlNode& node) {
  if (node.kind != YamlNode::Kind::List) {
    return expected(key, node, "a list of regular expressions");
  }
  for (const YamlNode& item : node.items) {
    if (item.kind != YamlNode::Kind::Scalar) {
      return expected(key, item, "a list of regular expressions");
    }
    const auto compiled = compileExpression(item.text);
    if (!compiled) {
      return problemAt(item.position,
                       fmt::format("'{}': '{}' is not a regular expression: {}",
                                   key.path,
                                   item.text,
                                   compiled.error().message()));
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
    if (item.kind != YamlNode::Kind::Scalar ||
        std::find(key.choices.begin(), key.choices.end(), item.text) == key.choices.end()) {
      return expected(key, item, what);
    }
    if (std::find(seen.begin(), seen.end(), item.text) != seen.end()) {
      return problemAt(item.position,
                       fmt::format("'{}': '{}' stands there twice", key.path, item.text));
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
    return problemAt(node.position, fmt::format("'{}' is empty", key.path));
  }
  return node.text;
}

}  // namespace

CheckedText checkValue(const Key& key, const YamlNode& node) {
  const bool isStructured = isStructuredType(key.type);
  if (node.kind == YamlNode::Kind::Null) {
    return isStructured ? CheckedText(std::string(key.defaultText))
                        : problemAt(node.position, fmt::format("'{}' has no value", key.path));
  }
  if (!isStructured && node.kind != YamlNode::Kind::Scalar) {
    return expected(key, node, "a single value");
  }
  switch (key.type) {
    case ValueType::Text:
    case ValueType::Path:
      return checkText(key, node);
    case ValueType::Integer:
      return checkInteger(key, node);
    case ValueType::Number:
      return checkNumber(key, node);
    case ValueType::Boolean:
      return checkBoolean(key, node);
    case ValueType::DTypeName:
      return checkDType(key, node);
    case ValueType::Choice:
      return checkChoice(key, node);
    case ValueType::DeviceName:
      return checkDevice(key, node);
    case ValueType::PatternList:
      return checkPatterns(key, node);
    case ValueType::NameList:
      return checkNames(key, node);
    case ValueType::Object:
      return checkObject(key, node);
    case ValueType::RuleList:
      return checkRules(key, node);
    case ValueType::DocumentList:
      return checkDocuments(key, node);
    case ValueType::RangeList:
      return checkRanges(key, node);
    case ValueType::LossTermList:
      return checkLossTerms(key, node);
  }
  return problemAt(node.position, "unknown kind of value");
}

}  // namespace ulp::study
