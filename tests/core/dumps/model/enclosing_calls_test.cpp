#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/model/dump.h"

namespace ulp::dumps {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// A model that calls a layer that calls a norm, and a layer that claims to be around itself.
class CallsUnit final : public DumpUnit {
 public:
  CallsUnit() {
    add("model", kNone);
    add("layer", 0);
    add("norm", 1);
    add("circle", 3);
  }
  [[nodiscard]] Result<tensors::Tensor> read(std::size_t) const override {
    return fail(ErrorCode::NotFound, "nothing recorded");
  }

 private:
  void add(std::string name, std::size_t parent) {
    DumpEntry entry;
    entry.name = std::move(name);
    entry.parent = parent;
    entries.push_back(std::move(entry));
  }
};

TEST(EnclosingCalls, AreNamedFromTheInnermostOutwards) {
  const CallsUnit unit;
  EXPECT_THAT(enclosingCalls(unit, 2), ElementsAre("layer", "model"));
  EXPECT_THAT(enclosingCalls(unit, 0), IsEmpty());
}

TEST(EnclosingCalls, OfACircleEnd) {
  const CallsUnit unit;
  EXPECT_THAT(enclosingCalls(unit, 3), SizeIs(64));
  EXPECT_THAT(enclosingCalls(unit, 3), Each(std::string("circle")));
}

TEST(EnclosingCalls, AreAskedUntilOneIsFound) {
  const CallsUnit unit;
  std::vector<std::size_t> asked;
  const auto isLayer = [&](std::size_t call) {
    asked.push_back(call);
    return call == 1;
  };
  EXPECT_TRUE(anyEnclosing(unit, 2, isLayer));
  EXPECT_THAT(asked, ElementsAre(1));
  EXPECT_FALSE(anyEnclosing(unit, 1, isLayer));
}

}  // namespace
}  // namespace ulp::dumps
