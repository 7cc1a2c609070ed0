#include "core/comparing/origin/collective_call.h"

#include <gtest/gtest.h>

#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;

dumps::DumpEntry callOf(const std::string& operation,
                        EntryKind kind = EntryKind::Api,
                        Pass pass = Pass::Forward) {
  return {.name = operation, .kind = kind, .pass = pass, .operation = operation};
}

/// Whether the call fills the argument that is recorded as its input `index`.
bool fills(const std::string& operation, const std::string& index, Role role = Role::Input) {
  BuiltUnit unit;
  unit.api(operation, 0);
  unit.tensor(role, index, {1});
  return isFilled(unit, 0, 0);
}

TEST(CollectiveCall, IsOfTorchDistributedAndWhatWrapsIt) {
  for (const char* const operation : {"Distributed.all_reduce",
                                      "MintDistributed.all_reduce",
                                      "c10d.all_reduce",
                                      "MindSpeed.all_reduce",
                                      "Distributed.broadcast",
                                      "Distributed.reduce_scatter_tensor",
                                      "Distributed.batch_isend_irecv"}) {
    EXPECT_TRUE(isCollective(callOf(operation))) << operation;
    EXPECT_FALSE(isCollective(callOf(operation, EntryKind::Api, Pass::Backward))) << operation;
  }
  for (const char* const operation :
       {"Torch.gather", "Tensor.scatter", "all_reduce", "Distributed.barrier", "Distributed", ""}) {
    EXPECT_FALSE(isCollective(callOf(operation))) << operation;
  }
}

TEST(CollectiveCall, FillsTheArgumentThatItsOperationSays) {
  EXPECT_TRUE(fills("Distributed.all_gather", "0"));
  EXPECT_TRUE(fills("Distributed.all_gather", "0.1")) << "a tensor of the list";
  EXPECT_TRUE(fills("Distributed.all_gather", "tensor_list"));
  EXPECT_TRUE(fills("Distributed.all_gather", "tensor_list.2"));
  EXPECT_FALSE(fills("Distributed.all_gather", "1"));
  EXPECT_FALSE(fills("Distributed.all_gather", "01"));
  EXPECT_FALSE(fills("Distributed.all_gather", "0", Role::Output));
  EXPECT_TRUE(fills("Distributed.gather", "1"));
  EXPECT_FALSE(fills("Distributed.gather", "0"));
  EXPECT_TRUE(fills("Distributed.irecv", "tensor"));
  EXPECT_FALSE(fills("Distributed.isend", "0"));
  EXPECT_FALSE(fills("Distributed.all_reduce", "0"));
  EXPECT_FALSE(fills("Torch.gather", "1"));
}

TEST(CollectiveCall, ABroadcastFillsTheTensorOfAllButItsSource) {
  const auto isFilledOn = [](std::optional<std::int64_t> rank, const std::string& source) {
    BuiltUnit unit;
    unit.axes.rank = rank;
    unit.api("Distributed.broadcast", 0);
    unit.tensor(Role::Input, "0", {1});
    unit.value(Role::Input, "src", source);
    return isFilled(unit, 0, 0);
  };
  EXPECT_FALSE(isFilledOn(1, "1"));
  EXPECT_TRUE(isFilledOn(0, "1"));
  EXPECT_FALSE(isFilledOn(std::nullopt, "1"));
  EXPECT_FALSE(isFilledOn(0, "None"));
}

TEST(CollectiveCall, FunctionsThatOverwriteFillWhatTheyAreCalledOn) {
  for (const char* const operation : {"Tensor.copy_", "Tensor.fill_", "Tensor.zero_"}) {
    EXPECT_TRUE(fills(operation, "0")) << operation;
    EXPECT_TRUE(fills(operation, "self")) << operation;
    EXPECT_FALSE(fills(operation, "1")) << operation;
  }
  EXPECT_FALSE(fills("Tensor.add_", "0"));
  EXPECT_FALSE(fills("Tensor.copy", "0"));
}

TEST(CollectiveCall, MemoryThatNobodyWroteComesOfFunctionsAlone) {
  for (const char* const operation :
       {"Torch.empty", "Torch.empty_like", "Tensor.new_empty", "Torch.empty_strided"}) {
    EXPECT_TRUE(handsOutMemory(callOf(operation))) << operation;
    EXPECT_FALSE(handsOutMemory(callOf(operation, EntryKind::Module))) << operation;
  }
  EXPECT_FALSE(handsOutMemory(callOf("Torch.zeros")));
}

}  // namespace
}  // namespace ulp::analysis
