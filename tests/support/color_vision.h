#pragma once

#include <cstdint>

/// Colour differences as people see them, with and without a colour vision deficiency.
namespace helio::test {

using Rgb = std::uint32_t; ///< An sRGB colour as 0xRRGGBB, like QRgb. The upper 8 bits are ignored.

/// Kinds of colour vision: normal, or without one of the three kinds of cones (protanopia, deuteranopia, tritanopia).
enum class Vision { Normal, Protan, Deutan, Tritan };

/// Returns the CIEDE2000 difference of two colours for people with the given vision: 0 for equal colours; 1 is just noticeable;
/// about 10 is told apart at a glance. Protan and deutan vision are simulated by two models, and the smaller difference counts. Sources:
/// Sharma, Wu and Dalal 2005 (CIEDE2000); Machado, Oliveira and Fernandes 2009, severity 1.0; Viénot, Brettel and Mollon 1999.
double colorDifference(Rgb a, Rgb b, Vision vision);

/// Returns the smallest colorDifference() of two colours over all kinds of vision.
double smallestColorDifference(Rgb a, Rgb b);

} // namespace helio::test
