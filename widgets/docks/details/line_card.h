#pragma once

#include <QWidget>

#include <optional>

namespace helio {

/// A painted card with lines, some of which lead somewhere: a click, or Enter and Space on the current line, follow one; Up, Down, Home and
/// End choose the current line while the card has the focus. UI thread.
class LineCard : public QWidget {
    Q_OBJECT

public:
    explicit LineCard(QWidget* parent = nullptr);

    virtual std::size_t lineCount() const = 0;
    virtual QRect lineRect(std::size_t index) const = 0;
    virtual bool leadsSomewhere(std::size_t index) const = 0;
    virtual QString words(std::size_t index) const = 0; ///< All that the line says.
    /// Line that Enter follows; nullopt if no line leads anywhere.
    std::optional<std::size_t> current() const { return m_current; }

protected:
    /// Follows the line. Requires: it leads somewhere. The card's lines may be replaced meanwhile.
    virtual void follow(std::size_t index) = 0;

    /// The lines are others now.
    void linesChanged(const QString& title);
    void paintGround(QPainter& painter, const QString& title) const;
    void paintFocus(QPainter& painter) const; ///< The frame of the current line, while the card has the focus.

    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

private:
    std::optional<std::size_t> lineAt(const QPoint& at) const;
    std::optional<std::size_t> nextLine(std::optional<std::size_t> from, bool isForward) const;
    void setCurrent(std::optional<std::size_t> line);

    std::optional<std::size_t> m_current;
};

} // namespace helio
