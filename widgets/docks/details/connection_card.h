#pragma once

#include "widgets/workspace/view_context.h"

#include <QWidget>

class QLabel;

namespace helio {

class FieldGrid;

/// Card about the selected connection: the threads at both ends, and what was sent in each direction and how long that took; above, the
/// selected packet. Follows the context; hidden while no connection is selected.
/// Threads: UI thread.
class ConnectionCard : public QWidget {
    Q_OBJECT

public:
    explicit ConnectionCard(ViewContext& context, QWidget* parent = nullptr);

    bool isEmpty() const { return !m_context.connection(); }
    /// Redraws the card after the theme or the time format changed.
    void refresh();

signals:
    void changed(); ///< Emitted when the connection or the result of isEmpty() changed.

private:
    void showPacket(const ConnectionPacket& packet);
    void showConnection(const ConnectionFacts& it);
    void addEnd(const QString& name, const ConnectionEnd& end);
    void addWay(const QString& name, const ConnectionEnd& end, const ConnectionFacts& connection);
    QString moment(std::optional<Timestamp> at) const;

    ViewContext& m_context;
    QWidget* m_packetBox; ///< Facts about the selected packet; hidden if the card of the selected arrow shows them.
    QLabel* m_fate;
    FieldGrid* m_packetFields;
    QLabel* m_title;
    QLabel* m_name;
    FieldGrid* m_fields;
};

} // namespace helio
