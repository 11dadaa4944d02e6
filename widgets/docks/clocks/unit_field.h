#pragma once

#include <QLineEdit>

namespace helio {

/// A field for a number, with its unit at the right end. What is typed is heard as it is typed; Enter, or leaving the field, ends it;
/// Escape gives it up. Undo keys are the window's once nothing typed is left to undo. UI thread.
class UnitField : public QLineEdit {
    Q_OBJECT

public:
    explicit UnitField(const QString& unit, QWidget* parent = nullptr);

    /// What there is to show while nobody types.
    void setShown(const QString& text);
    bool isTyping() const { return m_isTyping; }
    void setWrong(bool isWrong); ///< What is typed is not what it should be.

signals:
    void typed(const QString& text);
    void finished(); ///< Of typing.
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
