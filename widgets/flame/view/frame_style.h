#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace helio {

/// Appearance and texts of the frames of a tree, if they are not colours of modules and shares. Immutable.
class FrameStyle {
public:
    virtual ~FrameStyle() = default;

    /// Theme roles of the frames' fill colours.
    virtual const std::vector<QString>& roles() const = 0;
    virtual std::uint8_t roleOf(std::uint32_t node) const = 0; ///< Index into roles().
    /// True if only the outline of the frame has its colour.
    virtual bool isOutlined(std::uint32_t node) const = 0;

    struct FrameTexts {
        QString strong;
        QString plain;
    };
    /// Texts at the right end of a wide frame.
    virtual FrameTexts frameTexts(std::uint32_t node) const = 0;
    virtual QString rootName() const = 0;
    /// Describes a frame in one sentence, for screen readers.
    virtual QString description(std::uint32_t node) const = 0;
};

} // namespace helio
