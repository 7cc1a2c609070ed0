// Tokenises the texts of a JSON list for the Python oracle: TOKENIZER TEXTS.json. Prints a JSON
// list of {"ids", "spans", "decoded" (in hexadecimal)}, or of {"error"} for a text that is refused.
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "core/text/tokenizers/tokenizer.h"

namespace {

using nlohmann::json;

std::string hexOf(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    hex += kDigits[value >> 4U];
    hex += kDigits[value & 15U];
  }
  return hex;
}

json encode(const ulp::text::Tokenizer& tokenizer, const std::string& text) {
  const auto tokens = tokenizer.encode(text);
  if (!tokens) {
    return {{"error", tokens.error().message()}};
  }
  json result{{"ids", json::array()}, {"spans", json::array()}};
  std::vector<std::int64_t> ids;
  for (const ulp::text::Token& token : *tokens) {
    ids.push_back(token.id);
    result["spans"].push_back({token.begin, token.end});
  }
  result["ids"] = ids;
  result["decoded"] = hexOf(ulp::text::decode(tokenizer, ids).text);
  return result;
}

int run(const char* tokenizerPath, const char* textsPath) {
  const auto tokenizer = ulp::text::loadTokenizer(tokenizerPath);
  if (!tokenizer) {
    std::cerr << tokenizer.error().message() << '\n';
    return 2;
  }
  std::ifstream file(textsPath);
  json results = json::array();
  for (const json& text : json::parse(file)) {
    results.push_back(encode(**tokenizer, text.get<std::string>()));
  }
  std::cout << results.dump() << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return argc == 3 ? run(argv[1], argv[2]) : 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
