#pragma once

#include "core/plugin/plugins.h"
#include "widgets/controls/field_grid.h"

#include <QStringList>

class QLabel;
class QPushButton;

namespace helio {

/// A bar at the window's top that asks of each new plug-in in the folders whether it may be loaded, one after the other, and says once
/// which one was refused and why. Not there where there is nothing to ask or say. What is answered is kept; "Not now" only until the
/// program ends.
class PluginNotice : public PanelGround {
    Q_OBJECT

public:
    /// It looks when it is told to. `plugins` outlives it.
    explicit PluginNotice(Plugins& plugins, QWidget* parent = nullptr);

    /// What there is to ask or to say now. Cost: reads the files in the folders.
    void look();
    /// About this one of the folders, whatever was answered before.
    void ask(const std::filesystem::path& file);

    // What is said of a plug-in, as rich text.
    static QString questionOf(const FoundPlugin& plugin);
    static QString refusalOf(const FoundPlugin& plugin);
    static bool isWorthAWord(const FoundPlugin& plugin);

signals:
    /// A person allowed one, and its analyses are there.
    void loaded();
    /// A person forbade one.
    void forbidden();

private:
    void paintEvent(QPaintEvent* event) override;
    void present(const FoundPlugin& plugin);
    void allow();
    void forbid();
    void putOff();

    Plugins& m_plugins;
    QLabel* m_text;
    QLabel* m_facts;
    QPushButton* m_allow;
    QPushButton* m_never;
    QPushButton* m_later;
    FoundPlugin m_shown;
    QStringList m_putOff; ///< Files with their hashes.
};

} // namespace helio
