#pragma once

#include "app/gui/common/action_table.h"

#include <QDialog>

#include <span>

class QVBoxLayout;

namespace helio {

/// Keys and mouse: every action of a window with its shortcuts, and what the mouse does. Not modal; Esc closes it.
class HelpSheet : public QDialog {
    Q_OBJECT

public:
    explicit HelpSheet(std::span<const ActionSpec> actions, QWidget* parent = nullptr);

    /// The window's own sheet, made when it is first wanted, comes to the front.
    static void showOver(QWidget& window, std::span<const ActionSpec> actions);

    QStringList lines() const { return m_lines; } ///< As shown: "Fit the whole experiment: F, Ctrl+0".

private:
    void addGroup(QVBoxLayout* column, const QString& title, const QList<std::pair<QString, QString>>& entries);

    QStringList m_lines;
};

} // namespace helio
