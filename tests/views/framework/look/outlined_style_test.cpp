#include "views/framework/look/outlined_style.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <QtGui/QGuiApplication>
#include <QtGui/QImage>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QStyleOptionSlider>

#include "views/framework/look/theme.h"

namespace ulp::views {
namespace {

class OutlinedStyleTest : public testing::TestWithParam<Qt::Orientation> {
 protected:
  OutlinedStyleTest() : m_bar(GetParam()) {
    m_bar.setStyle(&m_style);
    m_bar.resize(GetParam() == Qt::Horizontal ? QSize(400, 16) : QSize(16, 400));
    m_bar.setRange(0, 300);
    m_bar.setPageStep(100);
  }

  QColor colourOf(QStyle::SubControl part) {
    QStyleOptionSlider option;
    option.initFrom(&m_bar);
    option.orientation = m_bar.orientation();
    option.minimum = m_bar.minimum();
    option.maximum = m_bar.maximum();
    option.pageStep = m_bar.pageStep();
    option.sliderPosition = option.sliderValue = m_bar.value();
    const QRect area = m_style.subControlRect(QStyle::CC_ScrollBar, &option, part, &m_bar);
    return m_bar.grab().toImage().pixelColor(area.center());
  }

  OutlinedStyle m_style;
  QScrollBar m_bar;
};

TEST_P(OutlinedStyleTest, HandlesOfScrollBarsStandOutInEveryTheme) {
  for (const Theme* theme : {&lightTheme(), &darkTheme(), &highContrastTheme()}) {
    m_bar.setPalette(theme->palette);
    const QColor handle = colourOf(QStyle::SC_ScrollBarSlider);
    const QColor groove = colourOf(QStyle::SC_ScrollBarAddPage);
    EXPECT_GE(contrastRatio(handle, groove), 3)
        << handle.name().toStdString() << " on " << groove.name().toStdString();
    EXPECT_TRUE(theme->highContrast || contrastRatio(handle, groove) < 4.5)
        << "louder than needed: " << contrastRatio(handle, groove);
  }
}

TEST_P(OutlinedStyleTest, NothingToScrollHasNoHandle) {
  m_bar.setPalette(lightTheme().palette);
  m_bar.setRange(0, 0);
  EXPECT_LT(contrastRatio(colourOf(QStyle::SC_ScrollBarSlider),
                          lightTheme().palette.color(QPalette::Window)),
            1.5);
}

INSTANTIATE_TEST_SUITE_P(Both,
                         OutlinedStyleTest,
                         testing::Values(Qt::Horizontal, Qt::Vertical),
                         [](const auto& orientation) {
                           return orientation.param == Qt::Horizontal ? "Horizontal" : "Vertical";
                         });

TEST(OutlinedStyleButtons, WhatLeadsToTheRestOfAToolbarIsSeenInEveryTheme) {
  for (const Theme* theme : {&lightTheme(), &darkTheme(), &highContrastTheme()}) {
    QGuiApplication::setPalette(theme->palette);
    const QImage image = OutlinedStyle()
                             .standardIcon(QStyle::SP_ToolBarHorizontalExtensionButton)
                             .pixmap(24)
                             .toImage();
    const QColor ground = theme->palette.color(QPalette::Window);
    double most = 0;
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel = image.pixelColor(x, image.height() / 2);
      most = pixel.alpha() == 255 ? std::max(most, contrastRatio(pixel, ground)) : most;
    }
    EXPECT_GE(most, 4.5);
  }
  QGuiApplication::setPalette(QPalette());
}

TEST(OutlinedStyleButtons, OfDialogsHaveNoIconsOfTheDesktop) {
  EXPECT_EQ(OutlinedStyle().styleHint(QStyle::SH_DialogButtonBox_ButtonsHaveIcons), 0);
}

}  // namespace
}  // namespace ulp::views
