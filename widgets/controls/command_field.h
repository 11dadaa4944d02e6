#pragma once

#include <QWidget>

namespace helio {

/// Read-only line with a command in the fixed font, and a button that copies it.
class CommandField : public QWidget {
    Q_OBJECT

public:
    /// `name`: accessible name of the line.
    explicit CommandField(const QString& command, const QString& name, QWidget* parent = nullptr);
};

} // namespace helio
