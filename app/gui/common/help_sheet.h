#pragma once

#include "app/gui/common/action_table.h"

#include <QDialog>

#include <span>

class QVBoxLayout;

namespace helio {

/// Dialog with the keys and mouse gestures: every action of a window with its shortcuts, and the effects of the mouse. Not modal; Esc
/// closes it.
class HelpSheet : public QDialog {
    Q_OBJECT

public:
    explicit HelpSheet(std::span<const ActionSpec> actions, QWidget* parent = nullptr);

    /// Brings the window's help sheet to the front; creates it at the first call.
    static void showOver(QWidget& window, std::span<const ActionSpec> actions);

    QStringList lines() const { return m_lines; } ///< Returns the lines as displayed, for example "Fit the whole experiment: F, Ctrl+0".

private:
    void addGroup(QVBoxLayout* column, const QString& title, const QList<std::pair<QString, QString>>& entries);

    QStringList m_lines;
};

} // namespace helio
