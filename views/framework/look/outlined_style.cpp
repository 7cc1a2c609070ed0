#include "views/framework/look/outlined_style.h"

#include <algorithm>
#include <array>

#include <QtGui/QPainter>
#include <QtWidgets/QStyleOption>

#include "views/framework/look/icons.h"

namespace ulp::views {
namespace {

/// Fusion darkens the window's colour for the edge of a box to tick: in the dark that is no edge.
void drawTickEdge(const QStyleOption& option, QPainter& painter, bool isRound) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, isRound);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(option.palette.color(QPalette::PlaceholderText), 1));
  const QRectF edge = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
  if (isRound) {
    painter.drawEllipse(edge);
  } else {
    painter.drawRect(edge);
  }
  painter.restore();
}

bool isDark(const QStyleOption& option) {
  return option.palette.color(QPalette::Window).lightnessF() <
         option.palette.color(QPalette::WindowText).lightnessF();
}

void drawOutline(const QStyleOption& option, QPainter& painter) {
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  const bool focused = option.state.testFlag(QStyle::State_HasFocus);
  painter.save();
  painter.setBrush(Qt::NoBrush);
  QPen pen(focused ? option.palette.color(QPalette::Highlight)
                   : option.palette.color(enabled ? QPalette::Active : QPalette::Disabled,
                                          QPalette::WindowText),
           focused ? 2 : 1);
  pen.setJoinStyle(Qt::MiterJoin);
  painter.setPen(pen);
  painter.drawRect(QRectF(option.rect).adjusted(1, 1, -1, -1));
  painter.restore();
}

/// What is dim, nearer to the ground: a handle is found without drawing the eye.
QColor quietHandle(const QPalette& palette) {
  constexpr float kDim = 0.83F;
  const QColor dim = palette.color(QPalette::PlaceholderText);
  const QColor ground = palette.color(QPalette::Window);
  const auto mixed = [](float a, float b) { return kDim * a + (1 - kDim) * b; };
  return QColor::fromRgbF(mixed(dim.redF(), ground.redF()),
                          mixed(dim.greenF(), ground.greenF()),
                          mixed(dim.blueF(), ground.blueF()));
}

/// Fusion gives handles of scroll bars nearly the colour of what they move along.
void drawHandle(const QStyleOptionComplex& option,
                const QRect& handle,
                bool outlined,
                QPainter& painter) {
  const bool isTouched = option.activeSubControls.testFlag(QStyle::SC_ScrollBarSlider) &&
                         (option.state.testFlag(QStyle::State_MouseOver) ||
                          option.state.testFlag(QStyle::State_Sunken));
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(isTouched  ? option.palette.color(QPalette::WindowText)
                   : outlined ? option.palette.color(QPalette::PlaceholderText)
                              : quietHandle(option.palette));
  const QRectF inside = QRectF(handle).adjusted(2.5, 2.5, -2.5, -2.5);
  const double radius = std::min(inside.width(), inside.height()) / 2;
  painter.drawRoundedRect(inside, radius, radius);
  painter.restore();
}

}  // namespace

QIcon OutlinedStyle::standardIcon(StandardPixmap standard,
                                  const QStyleOption* option,
                                  const QWidget* widget) const {
  return standard == SP_ToolBarHorizontalExtensionButton
             ? themedIcon(QStringLiteral("more"))
             : QProxyStyle::standardIcon(standard, option, widget);
}

int OutlinedStyle::styleHint(StyleHint hint,
                             const QStyleOption* option,
                             const QWidget* widget,
                             QStyleHintReturn* answer) const {
  return hint == SH_DialogButtonBox_ButtonsHaveIcons
             ? 0
             : QProxyStyle::styleHint(hint, option, widget, answer);
}

void OutlinedStyle::drawPrimitive(PrimitiveElement element,
                                  const QStyleOption* option,
                                  QPainter* painter,
                                  const QWidget* widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  if (!m_outlined) {
    const bool isRound = element == PE_IndicatorRadioButton;
    if ((isRound || element == PE_IndicatorCheckBox) && isDark(*option)) {
      drawTickEdge(*option, *painter, isRound);
    }
    return;
  }
  constexpr std::array kOutlined{PE_PanelButtonCommand,
                                 PE_PanelLineEdit,
                                 PE_FrameLineEdit,
                                 PE_IndicatorCheckBox,
                                 PE_IndicatorRadioButton,
                                 PE_FrameMenu,
                                 PE_Frame};
  if (std::ranges::find(kOutlined, element) != kOutlined.end()) {
    drawOutline(*option, *painter);
  }
}

void OutlinedStyle::drawComplexControl(ComplexControl control,
                                       const QStyleOptionComplex* option,
                                       QPainter* painter,
                                       const QWidget* widget) const {
  QProxyStyle::drawComplexControl(control, option, painter, widget);
  if (m_outlined && (control == CC_ComboBox || control == CC_SpinBox)) {
    drawOutline(*option, *painter);
  }
  const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
  if (control == CC_ScrollBar && bar != nullptr && bar->maximum > bar->minimum) {
    drawHandle(*option,
               proxy()->subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget),
               m_outlined,
               *painter);
  }
}

}  // namespace ulp::views
