#include "views/studies/cause_dialog.h"

#include <gtest/gtest.h>

#include <QtWidgets/QComboBox>

#include "views/studies/device_offers.h"

namespace ulp::views {
namespace {

class CauseDialogTest : public testing::Test {
 protected:
  CauseDialogTest() {
    m_dialog.offerDevice(QStringLiteral("cuda:1"), QStringLiteral("cuda:1 (NVIDIA H200)"));
  }

  QString choose(const QString& text) {
    m_devices.setCurrentIndex(m_devices.findText(text));
    return m_dialog.settings().device;
  }

  CauseDialog m_dialog{CauseQuestion{}, CauseSettings{}, CauseSettings{}};
  QComboBox& m_devices = *m_dialog.findChild<QComboBox*>(QStringLiteral("proofDevice"));
};

TEST_F(CauseDialogTest, OffersTheDevicesThatAStudyIsOffered) {
  QStringList offered;
  for (int i = 0; i < m_devices.count(); ++i) {
    offered << m_devices.itemText(i);
  }
  EXPECT_EQ(offered,
            QStringList(QStringLiteral("as the study says"))
                << usualDevices() << QStringLiteral("cuda:1 (NVIDIA H200)"));
}

TEST_F(CauseDialogTest, TakesADeviceByItsNameInStudies) {
  EXPECT_EQ(m_dialog.settings().device, QString());
  EXPECT_EQ(choose(QStringLiteral("cuda:1 (NVIDIA H200)")), QStringLiteral("cuda:1"));
  EXPECT_EQ(choose(QStringLiteral("cuda")), QStringLiteral("cuda"));
  EXPECT_EQ(choose(QStringLiteral("as the study says")), QString());
  m_devices.setEditText(QStringLiteral(" cuda:7 "));
  EXPECT_EQ(m_dialog.settings().device, QStringLiteral("cuda:7"));
}

}  // namespace
}  // namespace ulp::views
