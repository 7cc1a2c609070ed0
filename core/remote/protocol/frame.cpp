#include "core/remote/protocol/frame.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "core/json/dump.h"
#include "core/json/parse.h"

namespace ulp::remote {
namespace {

static_assert(std::endian::native == std::endian::little, "sizes are copied as they are");
constexpr std::size_t kSizes = 2 * sizeof(std::uint32_t);

}  // namespace

std::string encoded(const Frame& frame) {
  const std::string head = json::dump(frame.head);
  const std::array<std::uint32_t, 2> sizes{static_cast<std::uint32_t>(head.size()),
                                           static_cast<std::uint32_t>(frame.bytes.size())};
  std::string all(kSizes, '\0');
  std::memcpy(all.data(), sizes.data(), kSizes);
  all += head;
  all += frame.bytes;
  return all;
}

Result<std::optional<Frame>> FrameReader::next() {
  const std::string_view rest = std::string_view(m_pending).substr(m_taken);
  if (rest.size() < kSizes) {
    m_pending.erase(0, std::exchange(m_taken, 0));
    return std::optional<Frame>();
  }
  std::array<std::uint32_t, 2> sizes{};
  std::memcpy(sizes.data(), rest.data(), kSizes);
  const auto [head, bytes] = sizes;
  if (head > kLargestHead || bytes > kLargestBytes) {
    return fail(ErrorCode::CorruptData,
                "the other side speaks another language than ours: a frame is too large");
  }
  if (rest.size() - kSizes < std::size_t{head} + bytes) {
    m_pending.erase(0, std::exchange(m_taken, 0));
    return std::optional<Frame>();
  }
  Frame frame{.head = ULP_TRY(json::parseObject(rest.substr(kSizes, head))),
              .bytes = std::string(rest.substr(kSizes + head, bytes))};
  m_taken += kSizes + head + bytes;
  return std::optional<Frame>(std::move(frame));
}

Frame errorFrame(const Error& error) {
  return {.head = json::Object{{"error", error.message()},
                               {"code", std::string(toString(error.code()))}}};
}

std::optional<Error> errorOf(const Frame& frame) {
  const json::Value& message = frame.head.at("error");
  if (!message.isText()) {
    return std::nullopt;
  }
  return Error(errorCodeNamed(frame.head.at("code").text()).value_or(ErrorCode::Internal),
               message.text());
}

}  // namespace ulp::remote
