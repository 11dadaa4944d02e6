#pragma once

#include "core/plugin/plugins.h"
#include "widgets/controls/field_grid.h"

#include <QObject>
#include <QStringList>

class QLabel;
class QPushButton;

namespace helio {

/// Bar at the top of the window that asks for each new plug-in in the folders whether it may be loaded, one after the other, and reports
/// each refused plug-in once with the reason. Hidden if there is nothing to ask or report. Answers are stored; "Not now" holds until the
/// program ends.
class PluginNotice : public PanelGround {
    Q_OBJECT

public:
    /// Does nothing until look() or ask() is called. Ownership: `plugins` outlives the bar.
    explicit PluginNotice(Plugins& plugins, QWidget* parent = nullptr);

    /// Shows the next question or report, if any. Cost: reads the files in the folders.
    void look();
    /// Asks about this file of the folders, regardless of earlier answers.
    void ask(const std::filesystem::path& file);

    // Texts about a plug-in as rich text, and whether the bar has to show it.
    static QString questionOf(const PluginInfo& plugin);
    static QString refusalOf(const PluginInfo& plugin);
    static bool needsNotice(const PluginInfo& plugin);

signals:
    /// The user allowed a plug-in, and its analyses are available.
    void loaded();
    /// The user forbade a plug-in.
    void forbidden();

private:
    void paintEvent(QPaintEvent* event) override;
    void present(const PluginInfo& plugin);
    void allow();
    void forbid();
    void putOff();

    Plugins& m_plugins;
    QLabel* m_text;
    QLabel* m_facts;
    QPushButton* m_allow;
    QPushButton* m_never;
    QPushButton* m_later;
    PluginInfo m_shown;
    QStringList m_putOff; ///< Hashes and paths of the files that the user put off with "Not now".
};

/// Notifies all windows that the user allowed or forbade a plug-in in one of them. Threads: UI thread.
class PluginNotifier : public QObject {
    Q_OBJECT

public:
    static PluginNotifier& instance()
    {
        static PluginNotifier news;
        return news;
    }

signals:
    void decided(); ///< Plugins::addTo() may add different plug-ins now.

private:
    using QObject::QObject;
};

} // namespace helio
