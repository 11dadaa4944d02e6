#pragma once

#include "widgets/workspace/view_context.h"

#include <QWidget>

class QLabel;

namespace helio {

class FieldGrid;

/// The connection that a person chose: who has both its ends, what went there and back and how long that took; above it, the packet of it
/// that was chosen. Follows the context; hidden while none is chosen. UI thread.
class ConnectionCard : public QWidget {
    Q_OBJECT

public:
    explicit ConnectionCard(ViewContext& context, QWidget* parent = nullptr);

    bool isEmpty() const { return !m_context.connection(); }
    /// Again, in the theme and the format of times that are now.
    void refresh();

signals:
    void changed(); ///< There is one now, or none any more, or another one.

private:
    void showPacket(const ConnectionPacket& packet);
    void showConnection(const ConnectionFacts& it);
    void addEnd(const QString& name, const ConnectionEnd& end);
    void addWay(const QString& name, const ConnectionEnd& end, const ConnectionFacts& connection);
    QString moment(std::optional<Timestamp> at) const;

    ViewContext& m_context;
    QWidget* m_packetBox; ///< Where no arrow says the same.
    QLabel* m_fate;
    FieldGrid* m_packetFields;
    QLabel* m_title;
    QLabel* m_name;
    FieldGrid* m_fields;
};

} // namespace helio
