#pragma once

#include "widgets/workspace/view_context.h"

#include <QWidget>

class QLabel;

namespace helio {

class FieldGrid;

/// The connection that the user chose: the threads at both ends, what was sent in each direction and how long that took; above it, the
/// chosen packet of the connection. Follows the context; hidden while no connection is chosen.
/// Threads: UI thread.
class ConnectionCard : public QWidget {
    Q_OBJECT

public:
    explicit ConnectionCard(ViewContext& context, QWidget* parent = nullptr);

    bool isEmpty() const { return !m_context.connection(); }
    /// Redraws the card, e.g. after the theme or the time format changed.
    void refresh();

signals:
    void changed(); ///< The connection changed or isEmpty() did.

private:
    void showPacket(const ConnectionPacket& packet);
    void showConnection(const ConnectionFacts& it);
    void addEnd(const QString& name, const ConnectionEnd& end);
    void addWay(const QString& name, const ConnectionEnd& end, const ConnectionFacts& connection);
    QString moment(std::optional<Timestamp> at) const;

    ViewContext& m_context;
    QWidget* m_packetBox; ///< The chosen packet; hidden if a chosen arrow says the same.
    QLabel* m_fate;
    FieldGrid* m_packetFields;
    QLabel* m_title;
    QLabel* m_name;
    FieldGrid* m_fields;
};

} // namespace helio
