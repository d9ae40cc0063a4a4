/* The part of ICU's data that the programs need, where scripts/slim-icu has taken it out of the Swift runtime: a symbol
 * that is there already keeps the linker from the runtime's own 33 MB. */
#if __has_include("../../../.build/icu/icu.h")
#include "../../../.build/icu/icu.h"

.section .rodata
.balign 16
.globl ICU_SYMBOL
.hidden ICU_SYMBOL
.type ICU_SYMBOL, %object
ICU_SYMBOL:
.incbin ICU_DATA
.size ICU_SYMBOL, . - ICU_SYMBOL
#endif

.section .note.GNU-stack, "", %progbits
