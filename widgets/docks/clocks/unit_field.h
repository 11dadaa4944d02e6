#pragma once

#include <QLineEdit>

namespace helio {

/// Input field for a number, with its unit at the right end. Emits typed() on each change. Enter or leaving the field finishes the input,
/// Escape cancels it. Undo keys go to the window unless there is typing to undo.
/// Threads: UI thread.
class UnitField : public QLineEdit {
    Q_OBJECT

public:
    explicit UnitField(const QString& unit, QWidget* parent = nullptr);

    /// Sets the text that is shown while the user is not typing.
    void setShown(const QString& text);
    bool isTyping() const { return m_isTyping; }
    void setWrong(bool isWrong); ///< Sets whether the typed text is marked as invalid.

signals:
    void typed(const QString& text);
    void finished(); ///< Emitted when the user finished typing.
    void givenUp();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void end();

    QString m_unit;
    QString m_shown;
    bool m_isTyping = false;
    bool m_isWrong = false;
};

} // namespace helio
