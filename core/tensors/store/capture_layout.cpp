#include "core/tensors/store/capture_layout.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace ulp::tensors {
namespace {

std::string percentEncoded(char c) {
  return fmt::format("%{:02X}", static_cast<unsigned char>(c));
}

bool isPlain(char c) {
  constexpr std::string_view kOthers = "-_+=.";
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || kOthers.find(c) != std::string_view::npos;
}

/// FNV-1a, 64 bits.
std::uint64_t hashOf(std::string_view text) {
  constexpr std::uint64_t kBasis = 0xCBF29CE484222325;
  constexpr std::uint64_t kPrime = 0x100000001B3;
  return std::accumulate(text.begin(), text.end(), kBasis, [](std::uint64_t hash, char c) {
    return (hash ^ static_cast<unsigned char>(c)) * kPrime;
  });
}

}  // namespace

std::string captureLinkName(const Site& site) {
  const bool ownName =
      site.level != Level::Layer || isOfParameters(site.pass) || site.module.empty();
  return ownName || site.name == "logits" || site.name == "loss" ? site.name : site.module;
}

bool isLinkName(std::string_view name) {
  constexpr std::string_view kRefused("/\0", 2);
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(kRefused) == std::string_view::npos;
}

std::string runLinkName(std::string_view run) {
  std::string name;
  for (const char c : run) {
    const bool kept = c != '%' && c != '/' && c != '\0' && run != "." && run != "..";
    name += kept ? std::string(1, c) : percentEncoded(c);
  }
  return name;
}

bool isRunGroup(std::string_view path) {
  constexpr std::string_view kFront = "runs/";
  return path.size() > kFront.size() && path.starts_with(kFront) &&
         path.find('/', kFront.size()) == std::string_view::npos;
}

std::string runFileName(std::string_view run) {
  constexpr std::size_t kLongest = 120;
  std::string name;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const bool kept = isPlain(run[i]) && (i > 0 || run[i] != '.');
    name += kept ? std::string(1, run[i]) : percentEncoded(run[i]);
  }
  if (name.size() > kLongest) {
    name = fmt::format("{}~{:016x}", name.substr(0, kLongest), hashOf(run));
  }
  return name + ".h5";
}

std::uint64_t sampleStride(std::uint64_t count,
                           std::uint64_t limit,
                           std::span<const std::int64_t> shape) {
  if (limit == 0 || count <= limit) {
    return 1;
  }
  const auto sharesFactor = [shape](std::uint64_t stride) {
    return std::any_of(shape.begin(), shape.end(), [stride](std::int64_t dimension) {
      return std::gcd(stride, static_cast<std::uint64_t>(dimension)) != 1;
    });
  };
  std::uint64_t stride = (count + limit - 1) / limit;
  while (sharesFactor(stride)) {
    ++stride;
  }
  return stride;
}

}  // namespace ulp::tensors
