#include "views/plugins/study/form/number_box.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <QtCore/QRegularExpression>
#include <QtWidgets/QLineEdit>

#include "core/base/text/parse_number.h"

namespace ulp::views {
namespace {

/// As many digits as a step of a double leaves exact.
constexpr int kStepDigits = 12;

QString shortest(double value) {
  static const QRegularExpression kPaddedExponent(QStringLiteral("e([-+])0*"));
  QString text = QString::number(value, 'g', QLocale::FloatingPointShortest);
  text.replace(kPaddedExponent, QStringLiteral("e\\1"));
  return text.replace(QLatin1String("e+"), QLatin1String("e"));
}

QString steppedWhole(const study::Key& key, std::int64_t value, int steps) {
  std::int64_t to = 0;
  if (__builtin_add_overflow(value, static_cast<std::int64_t>(steps), &to)) {
    to = steps > 0 ? std::numeric_limits<std::int64_t>::max()
                   : std::numeric_limits<std::int64_t>::min();
  }
  if (key.maximum) {
    to = std::min(to, static_cast<std::int64_t>(*key.maximum));
  }
  if (key.minimum) {
    to = std::max(to, static_cast<std::int64_t>(*key.minimum));
  }
  return QString::number(to);
}

QString steppedReal(const study::Key& key, double value, int steps) {
  double size = std::abs(value);
  int decade = size == 0 ? 0 : static_cast<int>(std::floor(std::log10(size)));
  // Down from 1e-9 the first digit is that of 9.9e-10.
  const bool isTowardsZero = (steps < 0) == (value > 0);
  if (size != 0 && isTowardsZero && shortest(size) == shortest(std::pow(10.0, decade))) {
    --decade;
  }
  const double step = std::pow(10.0, decade - 1);
  const double to = std::clamp(value + steps * step,
                               key.minimum.value_or(std::numeric_limits<double>::lowest()),
                               key.maximum.value_or(std::numeric_limits<double>::max()));
  return shortest(QString::number(to, 'g', kStepDigits).toDouble());
}

}  // namespace

QString steppedNumber(const study::Key& key, const QString& text, int steps) {
  const std::string digits = text.trimmed().toStdString();
  if (key.type == study::ValueType::Integer) {
    const auto value = parseNumber<std::int64_t>(digits);
    return value ? steppedWhole(key, *value, steps) : QString();
  }
  const auto value = parseNumber<double>(digits);
  return value && std::isfinite(*value) ? steppedReal(key, *value, steps) : QString();
}

NumberBox::NumberBox(const study::Key& key, QWidget* parent)
    : QAbstractSpinBox(parent), m_key(key) {
  // The base class keeps a value of its own beside the text otherwise.
  setKeyboardTracking(false);
}

void NumberBox::setText(const QString& text) {
  lineEdit()->setText(text);
  lineEdit()->setModified(false);
  update();
}

void NumberBox::setFallback(const QString& text) {
  lineEdit()->setPlaceholderText(steppedNumber(m_key, text, 0));
  update();
}

bool NumberBox::isModified() const {
  return lineEdit()->isModified();
}

QValidator::State NumberBox::validate(QString& input, int& /*position*/) const {
  static const QRegularExpression kWhole(QStringLiteral("-?[0-9]*"));
  static const QRegularExpression kReal(QStringLiteral("-?[0-9]*\\.?[0-9]*([eE][-+]?[0-9]*)?"));
  const bool isWhole = m_key.type == study::ValueType::Integer;
  if (!isWhole) {
    input.replace(QLatin1Char(','), QLatin1Char('.'));
  }
  const QRegularExpression& form = isWhole ? kWhole : kReal;
  const QRegularExpression whole(QRegularExpression::anchoredPattern(form.pattern()));
  const bool isBelow = input.startsWith(QLatin1Char('-')) && m_key.minimum.value_or(-1) >= 0;
  return whole.match(input).hasMatch() && !isBelow ? QValidator::Acceptable : QValidator::Invalid;
}

QString NumberBox::after(int steps) const {
  const QString shown = text().isEmpty() ? lineEdit()->placeholderText() : text();
  // Where nothing is known, the first number that the key may have.
  return shown.isEmpty() ? steppedNumber(m_key, shortest(m_key.minimum.value_or(0)), 0)
                         : steppedNumber(m_key, shown, steps);
}

void NumberBox::stepBy(int steps) {
  const QString to = after(steps);
  if (!to.isEmpty() && to != text()) {
    lineEdit()->setText(to);
    selectAll();
    Q_EMIT stepped();
  }
}

QAbstractSpinBox::StepEnabled NumberBox::stepEnabled() const {
  const QString shown = text().isEmpty() ? lineEdit()->placeholderText() : text();
  StepEnabled enabled = StepNone;
  enabled.setFlag(StepUpEnabled, after(1) != shown && !after(1).isEmpty());
  enabled.setFlag(StepDownEnabled, after(-1) != shown && !after(-1).isEmpty());
  return isReadOnly() ? StepNone : enabled;
}

}  // namespace ulp::views
