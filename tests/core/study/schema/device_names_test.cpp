#include "core/study/schema/device_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/reading/study_text.h"

namespace ulp::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DeviceNames, AreOneOrSeveralOfOneKind) {
  EXPECT_THAT(*deviceNames("auto"), ElementsAre("auto"));
  EXPECT_THAT(*deviceNames("cuda:3"), ElementsAre("cuda:3"));
  EXPECT_THAT(*deviceNames("cuda:all"), ElementsAre("cuda:all"));
  EXPECT_THAT(*deviceNames("[cuda:0, cuda:12]"), ElementsAre("cuda:0", "cuda:12"));
  EXPECT_THAT(*deviceNames("cpu,cpu"), ElementsAre("cpu", "cpu"));
  EXPECT_THAT(*deviceNames("cuda:0+cuda:1"), ElementsAre("cuda:0+cuda:1"));
  EXPECT_THAT(*deviceNames("[cuda:0+cpu, cpu+cuda:1]"), ElementsAre("cuda:0+cpu", "cpu+cuda:1"));
  for (const char* wrong : {"",
                            "cuda:0+",
                            "cuda:0+auto",
                            "cuda:0 + cuda:1",
                            "cuda:all+cuda:0",
                            "gpu",
                            "cuda:",
                            "cuda:1234",
                            "cuda:0,",
                            "auto,cpu",
                            "cuda:all,cuda",
                            "cuda:0;cuda:1",
                            "cpu cpu"}) {
    EXPECT_FALSE(deviceNames(wrong)) << wrong;
  }
  EXPECT_THAT(deviceNames("cuda:0,cpu").error().message(), HasSubstr("one kind"));
  EXPECT_THAT(deviceNames("cuda:0,cpu+cuda:1").error().message(), HasSubstr("one kind"));
}

TEST(DeviceNames, SayWhetherTheyAreSeveral) {
  EXPECT_TRUE(areSeveralDevices("cuda:all"));
  EXPECT_TRUE(areSeveralDevices("cpu,cpu"));
  EXPECT_FALSE(areSeveralDevices("cuda"));
  EXPECT_FALSE(areSeveralDevices("cuda,cpu"));
  EXPECT_FALSE(areSeveralDevices("cuda:0+cuda:1"));
  EXPECT_TRUE(areCpus("cpu"));
  EXPECT_TRUE(areCpus("cpu+cpu, cpu"));
  for (const char* other : {"auto", "cuda:0", "cpu+cuda:0"}) {
    EXPECT_FALSE(areCpus(other)) << other;
  }
  EXPECT_EQ(firstDevice("cuda:1, cuda:0"), "cuda:1");
  EXPECT_EQ(firstDevice("cuda:0+cuda:1"), "cuda:0+cuda:1");
  EXPECT_EQ(firstDevice("cuda:all"), "cuda:0");
}

TEST(DeviceNames, StandInAStudyAsAListOrBetweenCommas) {
  for (const char* written : {"[cuda:0, cuda:1]", "cuda:0, cuda:1", "\"cuda:0,cuda:1\""}) {
    const auto study =
        studyOfText("study.yaml", std::string("model: {path: x}\ndevice: ") + written + "\n", {});
    ASSERT_TRUE(study) << study.error().message();
    EXPECT_EQ(study->device, "cuda:0,cuda:1");
  }
  const auto mixed =
      studyOfText("study.yaml", "model: {path: x}\ndevice: [cuda:0, cpu]\n", {"seed=1"});
  ASSERT_FALSE(mixed);
  EXPECT_THAT(mixed.error().message(), HasSubstr("one kind"));
}

}  // namespace
}  // namespace ulp::study
