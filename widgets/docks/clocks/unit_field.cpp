#include "widgets/docks/clocks/unit_field.h"

#include "widgets/theme/themes.h"

#include <QKeyEvent>
#include <QPainter>

namespace helio {

UnitField::UnitField(const QString& unit, QWidget* parent)
    : QLineEdit(parent)
    , m_unit(unit)
{
    setTextMargins(0, 0, int((12 + 7 * double(unit.size())) * fonts().scale()), 0);
    connect(this, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_isTyping = true;
        emit typed(text);
    });
    connect(this, &QLineEdit::editingFinished, this, &UnitField::end);
}

void UnitField::setShown(const QString& text)
{
    m_shown = text;
    if (!m_isTyping && text != this->text())
        setText(text);
}

void UnitField::setWrong(bool isWrong)
{
    if (std::exchange(m_isWrong, isWrong) != isWrong)
        update();
}

void UnitField::end()
{
    if (!std::exchange(m_isTyping, false))
        return;
    const bool isWrong = m_isWrong;
    setWrong(false);
    if (isWrong) // The user left the field with an invalid text, so a valid value typed before is discarded.
        emit givenUp();
    else
        emit finished();
    setText(m_shown);
}

bool UnitField::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool isOthers =
            (key->matches(QKeySequence::Undo) && !isUndoAvailable()) || (key->matches(QKeySequence::Redo) && !isRedoAvailable());
        if (isOthers || (key->key() == Qt::Key_Escape && !m_isTyping)) {
            key->ignore();
            return false;
        }
        if (key->key() == Qt::Key_Escape) {
            key->accept();
            return true;
        }
    }
    return QLineEdit::event(event);
}

void UnitField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !m_isTyping)
        return QLineEdit::keyPressEvent(event);
    m_isTyping = false;
    setWrong(false);
    emit givenUp();
    setText(m_shown);
}

void UnitField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(theme().color("text.hint"));
    painter.drawText(rect().adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, m_unit);
    if (!m_isWrong)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().color("severity.error"));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

} // namespace helio
