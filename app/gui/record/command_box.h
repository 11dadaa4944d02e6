#pragma once

#include <QStringList>
#include <QWidget>

class QPlainTextEdit;

namespace helio {

/// Read-only box of commands in the fixed font; long commands are broken before their options, as a shell allows it.
class CommandBox : public QWidget {
    Q_OBJECT

public:
    explicit CommandBox(QWidget* parent = nullptr);

    void setCommands(const QStringList& commands);
    void setText(const QString& text); ///< Shows a text as it is, e.g. a script.
    QSize sizeHint() const override; ///< Returns a size with room for all lines.
    QString text() const; ///< Returns the shown text, which a shell can run.

private:
    QPlainTextEdit* m_text;
};

/// Breaks a command before its options -e, -o and --, so that lines have at most `width` characters where that is possible. Lines but the
/// last end with a backslash.
QString brokenCommand(const QString& command, int width);

} // namespace helio
