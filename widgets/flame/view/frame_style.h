#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace helio {

/// What the frames of a tree look like and say, where it is not their module and their share of all. Immutable.
class FrameStyle {
public:
    virtual ~FrameStyle() = default;

    /// The theme's roles that frames are filled with.
    virtual const std::vector<QString>& roles() const = 0;
    virtual std::uint8_t roleOf(std::uint32_t node) const = 0; ///< In roles().
    /// Only its outline is in its colour.
    virtual bool isOutlined(std::uint32_t node) const = 0;

    struct Saying {
        QString strong;
        QString plain;
    };
    /// At the right end of a wide frame.
    virtual Saying sayingOf(std::uint32_t node) const = 0;
    virtual QString rootName() const = 0;
    /// A frame in one sentence, for who cannot see it.
    virtual QString description(std::uint32_t node) const = 0;
};

} // namespace helio
