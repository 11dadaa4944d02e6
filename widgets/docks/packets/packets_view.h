#pragma once

#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/packets/connection_model.h"
#include "widgets/docks/packets/packet_table.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <optional>

class QLineEdit;
class QSplitter;
class QToolButton;
class QTreeView;

namespace helio {

/// Dock with the connections of the selected range, or of the whole experiment. Lists the packets of the selected connection, marks them on
/// the time axis, and steps through them.
/// Threads: UI thread; computes on other threads.
class PacketsView : public PanelGround, public CommandProvider {
    Q_OBJECT

public:
    explicit PacketsView(ViewContext& context, QWidget* parent = nullptr);

    /// Goes to the next or previous packet of the selected connection, relative to the cursor.
    void step(bool isForward);
    ShownCommand shownCommand() const override;

private:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void makeHead();
    void makeTable();
    void makeList();
    void onTimelineChanged();
    void fetch();
    void take(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const ConnectionList> connections);
    void choose(int row);
    void showChosen();
    void fetchPackets();
    void takePackets(std::vector<ConnectionPacket> packets);
    void showAgain(const std::vector<ConnectionPacket>& packets);
    void forget();
    void goTo(std::size_t place, bool isOtherEnd);
    void showPlace();
    void showCount();
    void explainNoConnections(bool isRead);
    void updateButtons();

    ViewContext& m_context;
    ConnectionModel m_model;
    QLabel* m_title;
    QLabel* m_count;
    QLabel* m_packet; ///< Label that names the packet that the user went to.
    QLineEdit* m_filter;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_otherEnd;
    QTreeView* m_table;
    PacketTable* m_list;
    QWidget* m_right; ///< Widget with the packets of the selected connection.
    QSplitter* m_parts;
    QLabel* m_missing; ///< Label shown in place of the table if there are no connections.
    std::optional<ConnectionFacts> m_chosen;
    std::shared_ptr<const std::vector<Timestamp>> m_marks; ///< Times of the packets, which the ruler and the overview mark.
    std::size_t m_place = 0; ///< Index of the packet that the user went to; the number of packets if none.
    bool m_isTaking = false;
    DebouncedQuery m_answer;
    DebouncedQuery m_packetAnswer;
};

} // namespace helio
