#pragma once

#include "core/plugin/plugins.h"
#include "widgets/controls/field_grid.h"

#include <QObject>
#include <QStringList>

class QLabel;
class QPushButton;

namespace helio {

/// Bar at the top of the window. Asks for each new plug-in in the folders, one after the other, whether it may be loaded, and reports each
/// refused plug-in once with the reason. Hidden if there is nothing to ask or report. Decisions are stored; "Not now" is valid until the
/// program ends.
class PluginNotice : public PanelGround {
    Q_OBJECT

public:
    /// Creates a hidden bar; look() or ask() show it.
    /// Ownership: `plugins` outlives the bar.
    explicit PluginNotice(Plugins& plugins, QWidget* parent = nullptr);

    /// Shows the next question whether a plug-in may be loaded, or the next report that a plug-in was not loaded. Hides the bar if there is
    /// neither.
    /// Cost: reads the plug-in files in the folders.
    void look();
    /// Shows the question whether the program may load the plug-in `file`, even if the user allowed or forbade the plug-in before. Calls
    /// look() if `file` is not in a plug-in folder or is already loaded.
    void ask(const std::filesystem::path& file);

    // Texts about a plug-in, as rich text.
    // questionOf(): the question whether to load the plug-in. refusalOf(): the reason why the plug-in was not loaded.
    // needsNotice(): true if the plug-in is not loaded and the user has neither allowed nor forbidden it.
    static QString questionOf(const PluginInfo& plugin);
    static QString refusalOf(const PluginInfo& plugin);
    static bool needsNotice(const PluginInfo& plugin);

signals:
    /// Emitted after the user allowed a plug-in and its analyses were loaded.
    void loaded();
    /// Emitted after the user forbade a plug-in.
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
    QStringList m_putOff; ///< Keys (hash and path) of the plug-ins for which the user chose "Not now".
};

/// Notifies all windows that the user allowed or forbade a plug-in in any window.
/// Threads: UI thread.
class PluginNotifier : public QObject {
    Q_OBJECT

public:
    static PluginNotifier& instance()
    {
        static PluginNotifier news;
        return news;
    }

signals:
    void decided(); ///< Emitted after the user allowed or forbade a plug-in, so that Plugins::addTo() may add a different set of plug-ins.

private:
    using QObject::QObject;
};

} // namespace helio
